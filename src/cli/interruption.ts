/** The first Ctrl-C stops cleanly; the second one ends the process, which the next run cleans up after. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    process.stderr.write("Stopping; press Ctrl-C again to stop at once.\n");
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return controller.signal;
}
