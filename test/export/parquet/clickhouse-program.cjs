// Runs the query that comes on stdin in ClickHouse's engine, and prints a row of JSON a line.
const { readFileSync } = require('node:fs');
const { query } = require('chdb');

process.stdout.write(query(readFileSync(0, 'utf8'), 'JSONEachRow'));
