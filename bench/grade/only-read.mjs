// The least that any program has to do with two files. only-read.mjs read | split <file>…
import fs from "node:fs";

const [, , how, ...files] = process.argv;
for (const file of files) {
  if (how === "read") fs.readFileSync(file);
  else fs.readFileSync(file, "utf8").split("\n");
}
