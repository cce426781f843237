// Loaded into a measured Node process: leaves the peak of its resident memory, in kilobytes, in a file.
const fs = require("node:fs");

process.on("exit", () =>
  fs.writeFileSync(process.env.BENCH_PEAK_FILE, String(process.resourceUsage().maxRSS)),
);
