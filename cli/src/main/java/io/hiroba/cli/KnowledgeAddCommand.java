package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "add",
        description = {
            "Add a file (Markdown, text, HTML, PDF, Office, ODT, EPUB, RTF, mails, code, CSV, a chat export), a page by its",
            "address, or standard input.",
            "What is there already is not added twice."
        })
final class KnowledgeAddCommand extends RemoteCommand {

    private static final String SOURCES = KnowledgeCommands.PATH + "/sources";
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(300);
    private static final Duration MAX_POLL_INTERVAL = Duration.ofSeconds(5);

    @Parameters(index = "0", paramLabel = "FILE|URL|-", description = "The file, http(s)://…, or - for standard input.")
    private String what = "";

    @Option(names = "--title", paramLabel = "TITLE", description = "Else the document's own, or the file's name.")
    private @Nullable String title;

    @Option(
            names = "--charset",
            paramLabel = "NAME",
            description = "The encoding of a text file, for example Shift_JIS; else it is detected.")
    private @Nullable String charset;

    @Option(names = "--public", description = "Let everybody read it; else only you do.")
    private boolean isPublic;

    @Option(names = "--wait", description = "Wait until it can be found by meaning.")
    private boolean wait;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            description = "How long to wait at most, for example 30s or 1h; ${DEFAULT-VALUE} if not given.")
    private String timeout = "";

    KnowledgeAddCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var patience = patience();
        var api = api();
        var bar = new ProgressBar(environment());
        try {
            var source = added(api, bar);
            bar.end();
            if (wait) {
                source = embedded(api, source, bar, patience);
            }
            report(source);
        } finally {
            bar.end();
        }
    }

    private JsonNode added(Api api, ProgressBar bar) {
        var fields = new LinkedHashMap<String, String>();
        fields.put("visibility", isPublic ? "public" : "private");
        if (what.matches("(?i)https?://.+")) {
            if (title != null) {
                throw Failure.usage(text("knowledge.title-of-page"));
            }
            bar.show(text("progress.fetching"), 0, 1, what);
            fields.put("url", what);
            return api.create(SOURCES, UUID.randomUUID().toString(), fields);
        }
        if (title != null) {
            fields.put("title", title);
        }
        if (what.equals("-")) {
            var note = new HashMap<String, Object>(fields);
            note.put("text", standardInput());
            return api.create(SOURCES, UUID.randomUUID().toString(), note);
        }
        if (charset != null) {
            fields.put("charset", charset);
        }
        var file = Path.of(what);
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw Failure.of(Cli.FAILED, "cli.input", text("input.not-a-file", file));
        }
        // The progress is told on a thread of the HTTP client, which has no language.
        var sending = text("progress.sending");
        return api.upload(SOURCES, fields, file, (sent, all) -> bar.show(sending, sent, all, ""));
    }

    private String standardInput() {
        try {
            var text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(environment().in().readAllBytes()))
                    .toString();
            if (text.isBlank()) {
                throw Failure.usage(text("input.nothing-piped"));
            }
            return text;
        } catch (CharacterCodingException e) {
            throw Failure.usage(text("input.not-utf8", text("input.standard-input")));
        } catch (IOException e) {
            throw Failure.unreadable(text("input.standard-input"), e);
        }
    }

    private Duration patience() {
        try {
            var time = Duration.parse("PT" + timeout);
            if (!time.isNegative()) {
                return time;
            }
        } catch (DateTimeParseException e) {
            // Reported below.
        }
        throw Failure.usage(text("knowledge.timeout"));
    }

    /** Polls with growing intervals: a source that is not embedded at once may wait for an unavailable service. */
    private static JsonNode embedded(Api api, JsonNode added, ProgressBar bar, Duration patience) {
        var source = added;
        long begun = System.nanoTime();
        var pause = SHORTEST_PAUSE;
        while (!isSettled(source)) {
            var left = patience.minusNanos(System.nanoTime() - begun);
            if (!left.isPositive()) {
                throw Failure.of(
                        Cli.FAILED,
                        "cli.timeout",
                        text(
                                "knowledge.still-embedding",
                                source.path("id").asString(""),
                                count(source, "chunks") - count(source, "embedded"),
                                count(source, "chunks")));
            }
            bar.show(text("progress.embedding"), count(source, "embedded"), count(source, "chunks"), "");
            LockSupport.parkNanos(shorter(pause, left).toNanos());
            pause = shorter(pause.multipliedBy(3).dividedBy(2), MAX_POLL_INTERVAL);
            source = api.get(SOURCES + "/" + UrlPaths.segment(source.path("id").asString("")));
        }
        return source;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static boolean isSettled(JsonNode source) {
        return switch (source.path("status").asString("")) {
            case "pending", "processing" -> false;
            default -> true;
        };
    }

    private static long count(JsonNode source, String what) {
        return source.path("progress").path(what).asLong(0);
    }

    private void report(JsonNode source) {
        answer(source, KnowledgeAddCommand::format);
        if (wait && !source.path("status").asString("").equals("completed")) {
            warn(text(
                    "knowledge.not-embedded",
                    count(source, "dead"),
                    count(source, "chunks"),
                    source.path("errorMessage").asString("")));
            exitWith(Cli.FAILED);
        }
    }

    private static String format(JsonNode source) {
        return text(
                "knowledge.added",
                source.path("id").asString(""),
                Text.cell(source.path("title").asString("")),
                count(source, "chunks"),
                source.path("status").asString(""));
    }
}
