// Runs results.py in Pyodide with the kernels of a folder: node run_in_pyodide.mjs PYODIDE KERNELS SOURCE RESULTS
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodidePackage, kernels, source, results] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodidePackage, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ stdout: console.log, env: { SEGSCORE_THREADS: "1" } });
const site = pyodide.runPython("import site; site.getsitepackages()[0]");
const write = (path, bytes) => pyodide.FS.writeFile(`${site}/${path}`, bytes);

pyodide.FS.mkdirTree(`${site}/segscore/_kernels`);
write("segscore/__init__.py", "");  // the real one is for those who have NumPy
for (const name of ["errors.py", "_kernels/__init__.py"]) write(`segscore/${name}`, readFileSync(join(source, name)));
for (const name of readdirSync(kernels).filter((name) => name.endsWith(".so"))) {
  write(`segscore/_kernels/${name}`, readFileSync(join(kernels, name)));
}
pyodide.runPython("import importlib; importlib.invalidate_caches()");
const names = readdirSync(kernels).filter((name) => name.endsWith(".so")).map((name) => name.split(".")[0]).sort();
for (const name of names) pyodide.runPython(`import segscore._kernels.${name}`);
console.log(`# ${names.length} kernels load`);
pyodide.runPython(readFileSync(results, "utf-8"));
