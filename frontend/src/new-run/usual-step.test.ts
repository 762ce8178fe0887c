import { expect, test } from "vitest";

import type { StepForm } from "../service/api";
import forms from "./fixtures/step-forms.json";
import { usualStep } from "./usual-step";

const SHAPE = {
  brokers: [1, 2, 3].map((id) => ({ id, rack: "" })),
  topics: [{ name: "t", configs: {}, partitions: [] }],
};

// tests/sim_engine/documents/test_step_forms.py reads the forms and the steps of these two files.
test("every step of the form has the arguments that it needs", async () => {
  const steps = (forms as unknown as StepForm[])
    .map((form) => usualStep(form, SHAPE))
    .map(({ kind, about }) => ({ [kind]: about }));
  await expect(`${JSON.stringify(steps, null, 2)}\n`).toMatchFileSnapshot(
    "fixtures/usual-steps.json",
  );
});
