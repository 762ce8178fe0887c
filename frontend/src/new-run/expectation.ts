/** What an author expects of the cluster, in the words in which the page shows a cluster. */

import { say } from "languages:build";

import { formatValue, languageOf, type Lang } from "../language";
import { changeText, changeValue, propertyText, type Catalogue } from "../trace";

type Given = Readonly<Record<string, unknown>>;

/** Between records, epochs and names, whose parts are separated by spaces. */
const BETWEEN = " · ";
/** The names of a replica's values among the changes of a frame. */
const OF_REPLICA: Readonly<Record<string, string>> = {
  leo: "log_end_offset",
  hw: "high_watermark",
  epochs: "epoch_cache",
};

/**
 * An expectation in one line: "broker 1: log m1, LEO 1; acked m1; nothing is violated". Null if it
 * says nothing that has words, as a text with errors may. `control` is the kind of the controller.
 */
export function expectationText(
  catalogue: Catalogue,
  about: unknown,
  control: string,
  lang: Lang,
): string | null {
  const { kafka, partition, ...expected } = recordOf(about);

  const value = (name: string, got: unknown): string =>
    say(lang, "expectedValue", {
      name: changeText(catalogue, name, null, control, lang).text,
      value: changeValue(catalogue, name, got, lang),
    });

  const ofReplica = ([name, got]: readonly [string, unknown]): string[] => {
    if (name === "log") {
      const records = String(got)
        .split(/\s+/)
        .filter(Boolean)
        .map((record) => record.replace("/", " e"));
      return [
        say(lang, "expectedLog", {
          records: records.length === 0 ? null : formatValue(records, BETWEEN),
        }),
      ];
    }
    return name in OF_REPLICA ? [value(OF_REPLICA[name] ?? name, inWords(name, got))] : [];
  };

  const parts = Object.entries(expected).flatMap(([name, got]): string[] => {
    switch (name) {
      case "leader":
      case "leader_epoch":
      case "partition_epoch":
      case "isr":
      case "elr":
        return [value(name, got)];
      case "replicas":
        return Object.entries(recordOf(got)).map(([broker, held]) =>
          say(lang, "expectedOf", {
            of: say(lang, "brokerRow", { broker }),
            parts: Object.entries(recordOf(held)).flatMap(ofReplica),
          }),
        );
      case "acked":
        return [say(lang, "expectedAcked", { values: got })];
      case "lost":
        return [say(lang, "expectedLost", { values: got })];
      case "violated":
        return Array.isArray(got) && got.length > 0
          ? got.map((one) => propertyText(catalogue, String(one), "violated_title", lang))
          : [say(lang, "nothingViolated")];
      case "holds":
        return Array.isArray(got)
          ? got.map((one) => propertyText(catalogue, String(one), "title", lang))
          : [];
      case "errors":
        return Object.entries(recordOf(got)).map(([record, error]) =>
          say(lang, "expectedError", { value: record, error }),
        );
      case "read":
        return Object.entries(recordOf(got)).map(([consumer, values]) =>
          say(lang, "expectedRead", { consumer, values }),
        );
      case "refused":
        return [say(lang, "expectedRefused", { refused: got })];
      default:
        return [];
    }
  });
  if (parts.length === 0) return null;

  const where = [
    ...(kafka === undefined ? [] : [`Kafka ${formatValue(kafka, languageOf(lang).separator)}`]),
    ...(typeof partition === "string" ? [partition] : []),
  ];
  const all = parts.join(say(lang, "expectedSeparator"));
  return where.length === 0
    ? all
    : say(lang, "expectedOf", { of: where.join(BETWEEN).replaceAll(">=", "≥"), parts: all });
}

/** A replica's value; of an epoch file, each line with its epoch and start offset. */
function inWords(name: string, got: unknown): unknown {
  return name === "epochs" && Array.isArray(got)
    ? got.map((line) => formatValue(line, " ")).join(BETWEEN)
    : got;
}

function recordOf(given: unknown): Given {
  return typeof given === "object" && given !== null ? (given as Given) : {};
}
