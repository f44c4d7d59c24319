// Tables in the forms in which they are passed on.

/** Text as a field of CSV. */
export const csvField = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const markdownCell = (text) => text.replace(/[\\|]/g, "\\$&");
const bbcodeCell = (text) => text.replaceAll("[", "[\u200b");

/** A table of texts, `{ head, rows }`, in the forms in which tables are passed on. */
export const FORMS = {
  csv: ({ head, rows }) => [head, ...rows].map((row) => row.map(csvField).join(",")).join("\n") + "\n",
  markdown: ({ head, rows }) => {
    const line = (cells) => `| ${cells.map(markdownCell).join(" | ")} |`;
    return [line(head), line(head.map((_, at) => (at === 0 ? ":--" : "--:"))), ...rows.map(line)].join("\n") + "\n";
  },
  bbcode: ({ head, rows }) => {
    const line = (tag) => (cells) => `[tr]${cells.map((cell) => `[${tag}]${bbcodeCell(cell)}[/${tag}]`).join("")}[/tr]`;
    return `[table]\n${[line("th")(head), ...rows.map(line("td"))].join("\n")}\n[/table]\n`;
  },
};
