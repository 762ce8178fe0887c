import { defineConfig } from "vite";

/** `/embed/v1.js`: the `<highwater-replay>` element. Its address never changes, so its name has no hash. */
export default defineConfig({
  publicDir: false,
  build: {
    target: "es2020",
    outDir: "dist/embed",
    emptyOutDir: true,
    license: { fileName: "licenses.txt" },
    lib: { entry: "src/element.ts", formats: ["iife"], name: "highwater", fileName: () => "v1.js" },
  },
});
