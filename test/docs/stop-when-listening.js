/**
 * Loaded before an example from the pages. An example that serves would never end, so once its process has listened
 * for a while with no connection open, it gets the SIGTERM that an operator would send, and must end by itself.
 * Ticks are counted, not seconds: on a busy machine an example gets more time.
 */
const tickMs = 50;
const quietTicksNeeded = 40;
let quietTicks = 0;

const timer = setInterval(() => {
  const resources = process.getActiveResourcesInfo();
  const listens = resources.includes('TCPServerWrap');
  const talks = resources.includes('TCPSocketWrap');
  quietTicks = listens && !talks ? quietTicks + 1 : 0;
  if (quietTicks === quietTicksNeeded) {
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }
}, tickMs);
timer.unref();
