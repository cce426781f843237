declare const __MLEBENCH_VERSION__: string | undefined;

/** The package's version, put in at build time; from source there is no release to name. */
export const VERSION: string = typeof __MLEBENCH_VERSION__ === "undefined" ? "source" : __MLEBENCH_VERSION__;
