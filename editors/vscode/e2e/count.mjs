// A reporter that ends with one plain line: N passed, N failed.
export default async function* count(events) {
  const ended = { "test:pass": 0, "test:fail": 0 };
  for await (const { type, data } of events) {
    if (type in ended && data.details?.type !== "suite") ended[type] += 1;
  }
  yield `\n${ended["test:pass"]} passed, ${ended["test:fail"]} failed\n`;
}
