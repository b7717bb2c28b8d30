package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "export", description = "Write records to a file, or to where the output goes.")
final class RecordsExportCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    @Parameters(index = "1", paramLabel = "SCHEMA", description = "The schema's name.")
    private String schema = "";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "The file to write.")
    private @Nullable Path output;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "csv, jsonl, xlsx or parquet; else by the file's name, else csv.")
    private @Nullable String format;

    @Option(names = "--ids", description = "With the records' ids, as _id.")
    private boolean withIds;

    @Option(
            names = "--display-names",
            description = "With what people and referenced records are called: after author, _author.")
    private boolean withDisplayNames;

    @Option(
            names = "--raw",
            description =
                    "Write cells that a spreadsheet would take for a formula without ' before them (CSV): it will run them. Write numbers as texts with all digits (Parquet).")
    private boolean raw;

    @Option(
            names = "--time-zone",
            paramLabel = "ZONE",
            description = "The zone of moments in XLSX, whose cells have none: UTC unless said.")
    private @Nullable String timeZone;

    @Mixin
    private final Conditions conditions = new Conditions();

    RecordsExportCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var wanted = format == null ? RecordFiles.formatOf(output) : format;
        var first = UrlPaths.query(
                "format",
                wanted,
                "ids",
                withIds ? true : null,
                "displayNames",
                withDisplayNames ? true : null,
                "raw",
                raw ? true : null,
                "timeZone",
                timeZone);
        if (output == null && RecordFiles.isBinary(wanted)) {
            throw Failure.of(Cli.FAILED, "cli.output", text("records.xlsx-needs-file"));
        }
        var path = RecordsCommands.project(api, project) + "/exports/" + UrlPaths.segment(schema)
                + conditions.query(first);
        var file = output;
        if (file == null) {
            api.download(path, this::print);
            return;
        }
        long size = save(api, path, file);
        answer(CliJson.object("file", file.toString(), "bytes", size), done -> text("records.written", file, size));
    }

    private long print(InputStream body) throws IOException {
        return new InputStreamReader(body, StandardCharsets.UTF_8)
                .transferTo(environment().out());
    }

    /** Writes to a temporary file first: an interrupted export leaves an older file unchanged. */
    private static long save(Api api, String path, Path file) {
        try {
            var folder = file.toAbsolutePath().resolveSibling("");
            var part = Files.createTempFile(folder, file.getFileName() + ".", ".part");
            try {
                long size;
                try (var out = Files.newOutputStream(part)) {
                    size = api.download(path, body -> copy(body, out, file));
                }
                Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
                return size;
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    /** Distinguishes a failed read, the server's fault, from a failed write. */
    private static long copy(InputStream body, OutputStream out, Path file) throws IOException {
        var buffer = new byte[1 << 16];
        long size = 0;
        for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
            try {
                out.write(buffer, 0, count);
            } catch (IOException e) {
                throw unwritable(file, e);
            }
            size += count;
        }
        return size;
    }

    private static Failure unwritable(Path file, IOException e) {
        return Failure.of(Cli.FAILED, "cli.output", text("input.unwritable", file, e));
    }
}
