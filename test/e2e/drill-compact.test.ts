import { describeDrill } from './drill-suite.ts';

describeDrill('compact');
