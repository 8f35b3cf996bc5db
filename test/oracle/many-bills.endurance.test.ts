import { describeRandomBills } from './bill-suite.ts';

describeRandomBills(12);
