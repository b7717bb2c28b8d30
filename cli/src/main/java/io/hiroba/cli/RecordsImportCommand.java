package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "import",
        description = {
            "Put the records of a CSV, JSONL, XLSX or Parquet file into a schema.",
            "Interrupted, the same command goes on where it was; the server goes on by itself once it has the file."
        })
final class RecordsImportCommand extends RemoteCommand {

    private static final long POLL_INTERVAL = TimeUnit.MILLISECONDS.toNanos(300);
    private static final int ERRORS_SHOWN = 20;

    @Parameters(index = "0", paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    @Parameters(index = "1", paramLabel = "SCHEMA", description = "The schema's name.")
    private String schema = "";

    @Parameters(index = "2", paramLabel = "FILE", description = "The file: .csv, .jsonl, .xlsx or .parquet.")
    private Path file = Path.of("");

    @Option(names = "--create", description = "Make the schema from what the values seem to be, as an owner.")
    private boolean create;

    @Option(names = "--dry-run", description = "Only tell what would happen with the first 10,000 records.")
    private boolean dryRun;

    @Option(names = "--skip-errors", description = "Pass over lines at fault; else the first one ends the import.")
    private boolean skipErrors;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "csv, jsonl, xlsx or parquet; else by the file's name.")
    private @Nullable String format;

    @Option(
            names = "--delimiter",
            paramLabel = "CHAR",
            description = "What stands between cells, if not what the first line shows.")
    private @Nullable String delimiter;

    @Option(names = "--sheet", paramLabel = "NAME", description = "The sheet of an XLSX file, if not the first.")
    private @Nullable String sheet;

    @Option(
            names = "--header-row",
            paramLabel = "LINE",
            description = "Where the names of the columns are (CSV, XLSX), if titles come before them.")
    private @Nullable Integer headerRow;

    @Option(
            names = "--time-zone",
            paramLabel = "ZONE",
            description = "Where dates without an offset are meant: UTC unless said.")
    private @Nullable String timeZone;

    @Option(
            names = "--dates",
            paramLabel = "ORDER",
            description =
                    "The order of days such as 8/7/2026: month-first or day-first; else the other days of the file decide.")
    private @Nullable String dates;

    @Option(
            names = "--durations",
            paramLabel = "READING",
            description = "What 1:30 is: hours, minutes or text; else what its column looks like.")
    private @Nullable String durations;

    @Option(
            names = "--decimal",
            paramLabel = "MARK",
            description =
                    "What stands before decimals: point or comma (1.234,56); else the numbers of the file decide.")
    private @Nullable String decimal;

    @Option(
            names = "--column",
            paramLabel = "COLUMN=ATTRIBUTE",
            description = "Where a column of another name goes; COLUMN= leaves it out. May be given several times.")
    private Map<String, String> columns = new TreeMap<>();

    @Option(
            names = "--from-line",
            paramLabel = "LINE",
            description = "Pass over the records before this line, which an import that failed has written.")
    private long fromLine = 1;

    @Option(
            names = "--raw",
            description =
                    "Take cells as they are; else ' before what a spreadsheet takes for a formula is removed (CSV).")
    private boolean raw;

    @Option(names = "--again", description = "Import the file although it, or some of it, was imported before.")
    private boolean again;

    RecordsImportCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var path = RecordsCommands.project(api, project) + "/imports";
        long size = size();
        var found = find(api, path, size);
        var one = path + "/" + UrlPaths.segment(found.path("id").asString(""));
        var bar = new ProgressBar(environment());
        try {
            if (found.path("state").asString("").equals("uploading")) {
                new Upload(api, one + "/content", bar).send(file, size);
                bar.end();
                if (dryRun) {
                    preview(api, one);
                    return;
                }
                api.post(one + "/start", "application/json", "");
            }
            follow(api, one, bar);
        } finally {
            bar.end();
        }
    }

    private long size() {
        try {
            long size = Files.size(file);
            if (size == 0) {
                throw Failure.of(Cli.FAILED, "cli.input", text("input.empty-file", file));
            }
            return size;
        } catch (IOException e) {
            throw Failure.unreadable(file, e);
        }
    }

    /** The import of this file that is under way, or a new one. */
    private JsonNode find(Api api, String path, long size) {
        var source = source(size);
        for (var known :
                api.get(path + UrlPaths.query("source", source, "limit", 100)).path("items")) {
            var state = known.path("state").asString("");
            if (state.equals("uploading") || state.equals("running")) {
                note(text("records.going-on", known.path("id").asString("")));
                return known;
            }
            if (state.equals("done") && !again && !dryRun) {
                throw Failure.of(
                        Cli.FAILED,
                        "cli.imported",
                        text("records.imported-before", known.path("endedAt").asString("")));
            }
            if (state.equals("failed") && known.path("rows").asLong(0) > 0 && !again && !dryRun) {
                throw Failure.of(
                        Cli.FAILED,
                        "cli.imported",
                        text("records.imported-in-part", known.path("rows").asLong(0)));
            }
        }
        var body = new HashMap<String, Object>();
        body.put("schema", schema);
        body.put("format", format == null ? RecordFiles.formatOf(file) : format);
        body.put("onError", skipErrors ? "skip" : "stop");
        body.put("create", create);
        body.put("source", source);
        body.put("size", size);
        if (!columns.isEmpty()) {
            body.put("columns", columns);
        }
        body.put("fromLine", fromLine);
        body.put("raw", raw);
        if (delimiter != null) {
            body.put("delimiter", delimiter);
        }
        if (sheet != null) {
            body.put("sheet", sheet);
        }
        if (headerRow != null) {
            body.put("headerRow", headerRow);
        }
        if (timeZone != null) {
            body.put("timeZone", timeZone);
        }
        if (dates != null) {
            body.put("dates", dates);
        }
        if (durations != null) {
            body.put("durations", durations);
        }
        if (decimal != null) {
            body.put("decimal", decimal);
        }
        return api.create(path, UUID.randomUUID().toString(), body);
    }

    /** The idempotency key of the same command with the same file. */
    private String source(long size) {
        try {
            // A dry run never goes on with what is to be imported, and never ends it.
            return "%s %s %d %s %s %s %s %s%s%s%s%s%s%s%s%s%s"
                    .formatted(
                            RecordFiles.hash(file),
                            schema,
                            size,
                            skipErrors ? "skip" : "stop",
                            create ? "create" : "-",
                            format == null ? RecordFiles.formatOf(file) : format,
                            delimiter == null ? "," : delimiter,
                            timeZone == null ? "UTC" : timeZone,
                            columns.isEmpty() ? "" : " " + Integer.toHexString(columns.hashCode()),
                            fromLine == 1 ? "" : " from " + fromLine,
                            sheet == null ? "" : " sheet " + sheet,
                            headerRow == null ? "" : " header " + headerRow,
                            raw ? " raw" : "",
                            dates == null ? "" : " " + dates,
                            durations == null ? "" : " " + durations,
                            decimal == null ? "" : " decimal " + decimal,
                            dryRun ? " dry" : "");
        } catch (IOException e) {
            throw Failure.unreadable(file, e);
        }
    }

    private void preview(Api api, String one) {
        JsonNode preview;
        try {
            preview = api.post(one + "/preview", "application/json", "");
        } finally {
            api.post(one + "/cancel", "application/json", "");
        }
        answer(preview, RecordsImportCommand::format);
        exitWith(preview.path("errors").isEmpty() ? 0 : Cli.FAILED);
    }

    private static String format(JsonNode preview) {
        var columns = new Table()
                .column(text("column.column"), "name")
                .column(text("column.attribute"), "attribute")
                .column(text("column.looks-like"), RecordsImportCommand::looksLike)
                .column(text("column.type"), "type")
                .render(preview.path("columns"));
        var errors = preview.path("errors");
        long lines = preview.path("lines").asLong(0);
        var seen = preview.path("whole").asBoolean(true)
                ? text("records.looked-at", lines)
                : text("records.looked-at-part", lines);
        var result = errors.isEmpty() ? text("records.preview-right", seen) : text("records.preview-wrong", seen);
        return columns + result + "\n" + errors(errors);
    }

    private static String looksLike(JsonNode column) {
        var format = column.path("format").asString("");
        return format.isEmpty() ? column.path("inferred").asString("") : format;
    }

    private static String errors(JsonNode errors) {
        var text = new StringBuilder();
        int shown = 0;
        for (var error : errors) {
            if (shown++ == ERRORS_SHOWN) {
                text.append("  …\n");
                break;
            }
            var field = error.path("field").asString("");
            long line = error.path("line").asLong(0);
            var message = error.path("message").asString("");
            text.append("  ")
                    .append(
                            field.isEmpty()
                                    ? text("records.error", line, message)
                                    : text("records.field-error", line, field, message))
                    .append('\n');
        }
        return text.toString();
    }

    private void follow(Api api, String one, ProgressBar bar) {
        var known = api.get(one);
        while (known.path("state").asString("").equals("running")) {
            bar.show(
                    text("progress.importing"),
                    known.path("percent").asLong(0),
                    100,
                    text("progress.records", known.path("rows").asLong(0)));
            LockSupport.parkNanos(POLL_INTERVAL);
            known = api.get(one);
        }
        bar.end();
        answer(known, RecordsImportCommand::ending);
        if (!known.path("errors").isEmpty()) {
            note(errors(known.path("errors")).stripTrailing());
        }
        exitWith(known.path("state").asString("").equals("done") ? 0 : Cli.FAILED);
    }

    private static String ending(JsonNode known) {
        long rows = known.path("rows").asLong(0);
        long wrong = known.path("errorLines").asLong(0);
        return switch (known.path("state").asString("")) {
            case "done" -> wrong == 0 ? text("records.imported", rows) : text("records.imported-skipping", rows, wrong);
            case "cancelled" -> text("records.cancelled", rows);
            default -> {
                var reason = known.path("failure").asString("");
                yield rows == 0 ? text("records.failed", reason) : text("records.failed-in-part", reason);
            }
        };
    }
}
