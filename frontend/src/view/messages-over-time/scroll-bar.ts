/** The height of a thin horizontal scroll bar; 0 if it lies over the content. */
export function scrollBarHeight(): number {
  const probe = document.createElement("div");
  Object.assign(probe.style, {
    position: "absolute",
    visibility: "hidden",
    overflow: "scroll",
    scrollbarWidth: "thin",
    width: "50px",
    height: "50px",
  });
  document.body.append(probe);
  const height = probe.offsetHeight - probe.clientHeight;
  probe.remove();
  return height;
}
