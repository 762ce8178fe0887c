// Returns the pairs of visible texts that intersect; see overlapping_texts.py.
() => {
  // The letters are smaller than their line: ascenders and descenders of neighbours may share room.
  const ROOM_ABOVE_AND_BELOW = 0.2,
    LEAST_PX = 1.5;
  const OVERLAY = "dialog, [popover], [role=menu], [role=listbox], [role=tooltip]";

  // What lies above the page on purpose, or stays while the page scrolls under it.
  const layers = new Map([[document.documentElement, null]]);
  const layerOf = (element) => {
    if (element === null) return null;
    if (!layers.has(element)) {
      const apart =
        element.matches(OVERLAY) ||
        ["fixed", "sticky"].includes(getComputedStyle(element).position);
      layers.set(element, apart ? element : layerOf(element.parentElement));
    }
    return layers.get(element);
  };

  // The part of the page in which an element is drawn; null if nothing of it is.
  const rooms = new Map();
  const roomOf = (element) => {
    if (element === null) return [-Infinity, -Infinity, Infinity, Infinity];
    if (!rooms.has(element)) rooms.set(element, ownRoom(element));
    return rooms.get(element);
  };
  const ownRoom = (element) => {
    const style = getComputedStyle(element);
    if (
      style.display === "none" ||
      Number(style.opacity) === 0 ||
      style.clipPath.startsWith("inset(50%")
    )
      return null;
    const outer = roomOf(style.position === "fixed" ? null : element.parentElement);
    if (outer === null || style.overflow === "visible" || style.display === "contents")
      return outer;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return both(outer, [left, top, right, bottom]);
  };
  const both = (a, b) => {
    const room = [
      Math.max(a[0], b[0]),
      Math.max(a[1], b[1]),
      Math.min(a[2], b[2]),
      Math.min(a[3], b[3]),
    ];
    return room[2] - room[0] > LEAST_PX && room[3] - room[1] > LEAST_PX ? room : null;
  };

  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (
      node.data.trim() === "" ||
      parent.closest("script, style, noscript, title, desc, [hidden], option, textarea") !== null
    )
      continue;
    if (!parent.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
      continue;
    const room = roomOf(parent);
    if (room === null) continue;
    range.selectNodeContents(node);
    for (const { left, top, right, bottom, height } of range.getClientRects()) {
      const spare = height * ROOM_ABOVE_AND_BELOW;
      const box = both(room, [left, top + spare, right, bottom - spare]);
      if (box !== null)
        texts.push({ node, box, parent, said: node.data.trim().replace(/\s+/g, " ").slice(0, 60) });
    }
  }

  texts.sort((a, b) => a.box[1] - b.box[1]);
  const found = [];
  for (const [at, one] of texts.entries()) {
    for (const other of texts.slice(at + 1)) {
      if (other.box[1] >= one.box[3]) break;
      if (other.node === one.node || both(one.box, other.box) === null) continue;
      if (layerOf(one.parent) !== layerOf(other.parent)) continue;
      found.push(`"${one.said}" and "${other.said}"`);
    }
  }
  return [...new Set(found)];
};
