import { readdirSync, readFileSync } from 'node:fs';

/** What the rules read of a panel in the committed JSON. */
export interface CommittedPanel {
  readonly id: number;
  readonly type: string;
  readonly title?: string;
  readonly description?: string;
  readonly interval?: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly collapsed?: boolean;
  /** Those of a folded row. */
  readonly panels?: readonly CommittedPanel[];
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly CommittedTarget[];
  readonly fieldConfig?: {
    readonly defaults: {
      readonly unit?: string;
      readonly noValue?: string;
      readonly decimals?: number;
      readonly thresholds?: CommittedThresholds;
      readonly mappings?: readonly unknown[];
      readonly links?: readonly { readonly url: string }[];
    };
    readonly overrides: readonly {
      readonly matcher: { readonly id: string; readonly options: string };
      readonly properties: readonly { readonly id: string; readonly value: unknown }[];
    }[];
  };
  readonly options?: { readonly content?: string };
  readonly transformations?: readonly {
    readonly id: string;
    readonly options: {
      readonly renameByName?: Readonly<Record<string, string>>;
      readonly excludeByName?: Readonly<Record<string, boolean>>;
    };
  }[];
}

interface CommittedThresholds {
  readonly steps: readonly { readonly value: number | null; readonly color: string }[];
}

interface CommittedTarget {
  readonly expr: string;
  readonly refId: string;
  readonly legendFormat?: string;
  readonly datasource?: { readonly uid: string };
}

interface CommittedVariable {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  readonly query: string;
  readonly datasource?: { readonly uid: string };
  readonly multi?: boolean;
  readonly includeAll?: boolean;
  readonly allValue?: string;
  readonly refresh?: number;
  readonly regex?: string;
  /** 2 for a hidden one. */
  readonly hide?: number;
}

interface CommittedBoard {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly schemaVersion: number;
  readonly editable: boolean;
  readonly tags: readonly string[];
  readonly refresh: string;
  readonly panels: readonly CommittedPanel[];
  readonly templating: { readonly list: readonly CommittedVariable[] };
  readonly annotations: { readonly list: readonly { readonly expr?: string; readonly enable: boolean }[] };
  readonly links: readonly Readonly<Record<string, unknown>>[];
}

const folder = new URL('../../../dashboards/boards/', import.meta.url);

/** Every committed board by the name of its file. */
export const committedBoards: readonly { readonly file: string; readonly board: CommittedBoard }[] =
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(file => ({ file, board: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) }));

/** All panels, those of folded rows included. */
export function allPanels({ panels }: CommittedBoard): readonly CommittedPanel[] {
  return panels.flatMap(panel => [panel, ...(panel.panels ?? [])]);
}

/** Panels that ask for data: neither text nor the title of a section. */
export function dataPanels(board: CommittedBoard): readonly CommittedPanel[] {
  return allPanels(board).filter(({ type }) => type !== 'text' && type !== 'row');
}
