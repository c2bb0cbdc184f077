/** Tells the bench the port, and the CPU time the process used until now: its start-up. */
export function announceListening(port: number): void {
  const { user, system } = process.cpuUsage();
  process.stdout.write(`LISTENING ${port} ${(user + system) / 1_000}\n`);
}
