import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import Database from 'better-sqlite3';

/** Names of tables whose rows the page of a history is made of. */
const tables = ['project', 'endpoint', 'state_duration', 'operation_count', 'attempt_failure_count'];

/**
 * What a start cannot do without, one after the other: the modules are loaded, the rows of the page are read, and its text,
 * which is there already, is compressed.
 */
const [module = '', file = '', page = ''] = process.argv.slice(2);
await import(module);
const database = new Database(file, { readonly: true });
const rows = tables.map(table => database.prepare(`SELECT * FROM ${table}`).all().length);
const compressed = deflateRawSync(readFileSync(page), { level: 1 });
process.stdout.write(JSON.stringify({ rows, bytes: compressed.length }));
process.exit();
