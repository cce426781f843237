/** The few names of WebAssembly that are used; TypeScript knows them only together with a browser's. */
declare namespace WebAssembly {
  class Memory<Kind extends boolean = boolean> {
    constructor(limits: { initial: number; maximum: number; shared: Kind });
    readonly buffer: Kind extends true ? SharedArrayBuffer : ArrayBuffer;
  }
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }
  class Instance {
    constructor(module: Module, imports: { env: { memory: Memory } });
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
