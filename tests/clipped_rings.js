// Returns the focusable elements of which an ancestor cuts off the focus ring, and on which sides, or
// whose ring lies under something that stays in its place when they are scrolled.
() => {
  const LEAST_PX = 0.6,
    WITHIN = "a[href], button, input, select, textarea, summary, [tabindex]";
  const active = document.activeElement;
  const stacked = (node) => {
    const { position, zIndex } = getComputedStyle(node);
    return position !== "static" && Number(zIndex) > 0;
  };
  // The sides on which what lies inside the element covers a ring that is drawn inside its edges.
  const coveredSides = (element, box) => {
    const x = box.left + box.width / 2,
      y = box.top + box.height / 2;
    const points = {
      top: [x, box.top + 1],
      right: [box.right - 1, y],
      bottom: [x, box.bottom - 1],
      left: [box.left + 1, y],
    };
    return Object.keys(points).filter((side) => {
      for (
        let node = document.elementFromPoint(...points[side]);
        node !== null && node !== element;
        node = node.parentElement
      )
        if (element.contains(node) && stacked(node)) return true;
      return false;
    });
  };
  const found = [];
  // First the part that has the focus: it can be focused only by its skip link.
  for (const element of new Set([active, ...document.querySelectorAll(WITHIN)])) {
    if (element.tabIndex < 0 && !element.matches("[tabindex='-1'][role], [tabindex='-1']:focus"))
      continue;
    if (
      element.closest("svg") !== null ||
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
      continue;
    element.focus({ focusVisible: true });
    if (document.activeElement !== element) continue;
    const style = getComputedStyle(element);
    if (style.outlineStyle === "none" || !element.matches(":focus-visible")) continue;
    const reach = Number.parseFloat(style.outlineWidth) + Number.parseFloat(style.outlineOffset);
    const box = element.getBoundingClientRect();
    const covered = reach > 0 ? [] : coveredSides(element, box);
    if (covered.length > 0)
      found.push(
        `${element.tagName.toLowerCase()}.${element.className}: ${covered.join(", ")} covered`,
      );
    if (box.width < 3 || reach <= 0) continue;
    for (
      let around = element.parentElement;
      around !== null && around !== document.body;
      around = around.parentElement
    ) {
      const { overflowX, overflowY, position } = getComputedStyle(around);
      const outer = around.getBoundingClientRect();
      const left = outer.left + around.clientLeft,
        top = outer.top + around.clientTop;
      const right = left + around.clientWidth,
        bottom = top + around.clientHeight;
      const cut = [];
      if (overflowY !== "visible") {
        if (box.top >= top - 1 && box.top - reach < top - LEAST_PX) cut.push("top");
        if (box.bottom <= bottom + 1 && box.bottom + reach > bottom + LEAST_PX) cut.push("bottom");
      }
      if (overflowX !== "visible") {
        if (box.left >= left - 1 && box.left - reach < left - LEAST_PX) cut.push("left");
        if (box.right <= right + 1 && box.right + reach > right + LEAST_PX) cut.push("right");
      }
      if (cut.length > 0) {
        found.push(
          `${element.tagName.toLowerCase()}.${element.className} "${(element.ariaLabel ?? element.textContent ?? "").trim().slice(0, 30)}": ${cut.join(", ")} cut by ${around.tagName.toLowerCase()}.${around.className}`,
        );
        break;
      }
      if (position === "fixed") break;
    }
  }
  active?.focus?.();
  return found;
};
