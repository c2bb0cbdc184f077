module.exports = { planted: [] };
