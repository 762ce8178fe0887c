Object.assign(globalThis, { renderFigure: (frameJson: string) => frameJson });
