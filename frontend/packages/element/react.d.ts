import type { ReactElement, ReactNode } from "react";

import type { ErrorDetail, ReadyDetail, StateDetail, StepDetail, Theme } from "./index";

export interface HighwaterReplayProps {
  /** The address of a share's page. */
  readonly src: string;
  /** The frame to open at. */
  readonly step?: number;
  /** The step size when it is opened; omitted: that of the link, otherwise the story. */
  readonly level?: "story" | "message";
  /** In pixels; omitted: the height that the player requests. */
  readonly height?: number;
  /** Omitted: the theme of the page. */
  readonly theme?: Theme;
  readonly lang?: string;
  readonly loading?: "eager" | "lazy";
  readonly autoplay?: boolean;
  readonly title?: string;
  /** The picture that is shown until it is clicked; default: the service's. */
  readonly picture?: string;
  /** A downloaded player, which is shown instead of the element: nothing is loaded from the service. It has no events. */
  readonly player?: string;
  readonly onReady?: (detail: ReadyDetail) => void;
  readonly onStep?: (detail: StepDetail) => void;
  readonly onState?: (detail: StateDetail) => void;
  readonly onError?: (detail: ErrorDetail) => void;
  /** Shown instead of the picture. */
  readonly children?: ReactNode;
}

export function HighwaterReplay(props: HighwaterReplayProps): ReactElement;
