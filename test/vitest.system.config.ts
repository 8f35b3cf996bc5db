import { defineConfig } from 'vitest/config';
import { common, systemTests } from './vitest.config.ts';

/** `npm run test:system`: whole programs, and real peers. */
export default defineConfig({ test: { ...common, include: [systemTests] } });
