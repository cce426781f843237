/** What a reader has to know to read standings; on the page, in the file and in Markdown alike. */
export const METHOD = [
  "Any medal in per cent of the competitions of each split: mean ± standard error over seeds.",
  "Trust: recomputed – every grade was worked out again here; attested – a signature covers it; declared – somebody says so; broken – the files contradict each other.",
  "NOT isolated: a trial ran as a plain process of the host and could have read the answers.",
  "no LLM: a model was simulated, scripted or an echo, so the row says nothing about language models.",
  "Deviations are from 24 h, 36 vCPU, 440 GiB, one 24 GB A10 and at least 3 seeds. – means not known.",
];
