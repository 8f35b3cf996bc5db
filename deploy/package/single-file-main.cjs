// The entry of the single executable file: it unpacks the program it holds, once, and starts it.
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');
const { getAsset, getAssetKeys, getRawAsset } = require('node:sea');

const prefix = 'program/';
const files = getAssetKeys().filter(key => key.startsWith(prefix));

process.env.DBPM_EXPORTER_REVISION ??= getAsset('revision', 'utf8');
const folder = findUnpacked() ?? unpackForThisRun();
createRequire(join(folder, 'bin', 'main'))('./dbpm-exporter.cjs');

/** The program in a cache of this user's, unpacked there if need be; undefined where there can be no such cache. */
function findUnpacked() {
  for (const cache of cachePlaces()) {
    try {
      const place = join(cache, 'dbpm-exporter');
      for (const path of [cache, place]) if (!fs.existsSync(path)) makeFolder(path);
      if (!isOwn(place) || !isSafeParent(cache)) continue;
      const wanted = join(place, getAsset('digest', 'utf8'));
      if (isWhole(wanted)) return wanted;
      const made = fs.mkdtempSync(join(place, 'new-'));
      write(made);
      return moveTo(made, wanted);
    } catch {
      // Not to be written, or full: the next place may do.
    }
  }
  return undefined;
}

/** Caches as systemd and the desktop specification name them. */
function cachePlaces() {
  const { CACHE_DIRECTORY, XDG_CACHE_HOME, HOME } = process.env;
  const places = [CACHE_DIRECTORY?.split(':')[0], XDG_CACHE_HOME, HOME && join(HOME, '.cache')];
  return places.filter(place => place && isAbsolute(place));
}

/** Another process may make it meanwhile. The folder above must be there: a home that is missing stays so. */
function makeFolder(path) {
  try {
    fs.mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

/** The content is run, so nobody else may ever have been able to write it. */
function isOwn(path) {
  const found = fs.lstatSync(path);
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0;
}

/** Whoever may write the folder above could put another one in its place, unless it is sticky. */
function isSafeParent(path) {
  const { mode, uid } = fs.statSync(path);
  return (uid === process.getuid() || uid === 0) && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0);
}

/** Whether all files are there with their sizes: cleaners of caches take single files. */
function isWhole(path) {
  try {
    return (
      isOwn(path) && files.every(key => fs.statSync(fileIn(path, key)).size === getRawAsset(key).byteLength)
    );
  } catch {
    return false;
  }
}

/** Another process may have been as fast; what was there and is not whole goes. */
function moveTo(made, wanted) {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      fs.renameSync(made, wanted);
      return wanted;
    } catch (error) {
      if (isWhole(wanted)) {
        fs.rmSync(made, { recursive: true });
        return wanted;
      }
      if (attempt > 0) throw error;
      fs.rmSync(wanted, { recursive: true, force: true });
    }
  }
}

/** A folder that nobody can guess, and that goes with the process. */
function unpackForThisRun() {
  let made;
  try {
    made = fs.mkdtempSync(join(tmpdir(), 'dbpm-exporter-'));
    process.on('exit', () => fs.rmSync(made, { recursive: true, force: true }));
    write(made);
    return made;
  } catch (error) {
    process.stderr.write(
      `dbpm-exporter: it cannot unpack itself (${error.message}): set XDG_CACHE_HOME or TMPDIR to a folder that it may write, with 15 MB free\n`,
    );
    process.exit(1);
  }
}

function write(path) {
  for (const key of files) {
    const file = fileIn(path, key);
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, new Uint8Array(getRawAsset(key)), { mode: 0o600 });
  }
}

function fileIn(path, key) {
  return join(path, key.slice(prefix.length));
}
