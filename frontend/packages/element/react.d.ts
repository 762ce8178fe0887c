import type { ReactElement, ReactNode } from "react";

import type { ErrorDetail, ReadyDetail, StateDetail, StepDetail, Theme } from "./index";

export interface HighwaterReplayProps {
  /** The address of a share's page. */
  readonly src: string;
  /** The frame to open at. */
  readonly step?: number;
  /** In pixels; left out, as tall as the player asks for. */
  readonly height?: number;
  /** Left out, that of the page. */
  readonly theme?: Theme;
  readonly lang?: string;
  readonly loading?: "eager" | "lazy";
  readonly autoplay?: boolean;
  readonly title?: string;
  /** The picture that stands there until it is clicked; left out, the service's. */
  readonly picture?: string;
  readonly onReady?: (detail: ReadyDetail) => void;
  readonly onStep?: (detail: StepDetail) => void;
  readonly onState?: (detail: StateDetail) => void;
  readonly onError?: (detail: ErrorDetail) => void;
  /** In place of the picture. */
  readonly children?: ReactNode;
}

export function HighwaterReplay(props: HighwaterReplayProps): ReactElement;
