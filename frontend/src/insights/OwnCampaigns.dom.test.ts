import { screen } from "@testing-library/svelte";
import { expect, it } from "vitest";

import { render } from "../language/render-fixture";
import OwnCampaigns from "./OwnCampaigns.svelte";

it("tells whoever has no campaign how to write the grid that the command needs", () => {
  const nothing = (): void => undefined;
  render(OwnCampaigns, {
    props: {
      campaigns: [],
      leftOut: 0,
      summary: null,
      version: 1,
      busy: false,
      onread: nothing,
      onfail: nothing,
      onopen: nothing,
    },
  });

  expect(screen.getByText(/highwater campaign grid.yaml/)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "How to write grid.yaml" })).toHaveAttribute(
    "href",
    "/docs/how-to/run-a-campaign?lang=en",
  );
});
