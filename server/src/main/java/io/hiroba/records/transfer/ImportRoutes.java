package io.hiroba.records.transfer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.DateOrder;
import io.hiroba.records.DecimalMark;
import io.hiroba.records.FormerNames;
import io.hiroba.records.ProjectId;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Imports over HTTP. */
final class ImportRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/imports";
    private static final String ONE = PATH + "/{import}";
    private static final String CONTENT = ONE + "/content";
    private static final String OFFSET = "Upload-Offset";
    private static final int MAX_SOURCE_LENGTH = 500;
    private static final int MAX_SHEET_LENGTH = 100;

    private final Imports imports;
    private final Idempotency idempotency;
    private final KeysetList<Import, Long> list;

    ImportRoutes(Imports imports, Idempotency idempotency, Cursors cursors) {
        this.imports = imports;
        this.idempotency = idempotency;
        this.list = new KeysetList<>(
                cursors,
                "imports",
                cursor -> ImportId.parse(cursor.text(0)).value(),
                last -> Cursor.of(last.id().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, FormerNames.noting(this::create));
        routes.get(PATH, FormerNames.noting(this::list));
        routes.get(ONE, FormerNames.noting(this::get));
        routes.head(CONTENT, FormerNames.noting(this::received));
        routes.patch(CONTENT, FormerNames.noting(this::append));
        routes.put(CONTENT, FormerNames.noting(this::replace));
        routes.post(ONE + "/preview", FormerNames.noting(this::preview));
        routes.post(ONE + "/start", FormerNames.noting(this::start));
        routes.post(ONE + "/cancel", FormerNames.noting(this::cancel));
    }

    private record Create(
            String schema,
            String format,
            @Nullable String delimiter,
            @Nullable String timeZone,
            @Nullable String onError,
            @Nullable Boolean create,
            @Nullable Long fromLine,
            @Nullable Boolean raw,
            @Nullable String sheet,
            @Nullable Map<String, String> columns,
            @Nullable String options,
            @Nullable String dates,
            @Nullable String durations,
            @Nullable String decimal,
            @Nullable String encoding,
            @Nullable Integer headerRow,
            @Nullable String source,
            @Nullable Long size) {

        Imports.NewImport toImport() {
            if (schema.isBlank()) {
                throw TransferProblem.invalid("schema", Text.of("records.transfer.empty"));
            }
            if (size != null && size < 1) {
                throw TransferProblem.invalid("size", Text.of("records.transfer.size"));
            }
            if (fromLine != null && fromLine < 1) {
                throw TransferProblem.invalid("fromLine", Text.of("records.transfer.from-line"));
            }
            if (columns != null && !columns.entrySet().stream().allMatch(Create::isStorable)) {
                throw TransferProblem.invalid("columns", Text.of("records.transfer.columns"));
            }
            if (sheet != null && (sheet.length() > MAX_SHEET_LENGTH || !Utf8.isStorable(sheet))) {
                throw TransferProblem.invalid("sheet", Text.of("records.transfer.sheet"));
            }
            var known = source == null ? "" : source;
            if (known.length() > MAX_SOURCE_LENGTH || !Utf8.isStorable(known)) {
                throw TransferProblem.invalid("source", Text.of("records.transfer.source"));
            }
            var chosen = new ImportOptions(
                    FileFormat.named(format)
                            .orElseThrow(() -> TransferProblem.invalid("format", Text.of("records.transfer.format"))),
                    separator(),
                    zone(),
                    skips(),
                    Boolean.TRUE.equals(create),
                    fromLine == null ? 1 : fromLine,
                    raw,
                    sheet,
                    columns);
            return new Imports.NewImport(
                    schema,
                    chosen.makingOptions(makesOptions())
                            .withDates(order())
                            .withDurations(reading())
                            .withDecimal(mark())
                            .withEncoding(charset())
                            .withHeaderRow(ImportOptions.requireHeaderRow(chosen.format(), headerRow)),
                    known,
                    size);
        }

        private @Nullable DateOrder order() {
            return dates == null
                    ? null
                    : DateOrder.named(dates)
                            .orElseThrow(() -> TransferProblem.invalid(
                                    "dates",
                                    Text.of("records.query.either", "one", "month-first", "other", "day-first")));
        }

        private @Nullable DecimalMark mark() {
            return decimal == null
                    ? null
                    : DecimalMark.named(decimal)
                            .orElseThrow(() -> TransferProblem.invalid(
                                    "decimal", Text.of("records.query.either", "one", "point", "other", "comma")));
        }

        private @Nullable DurationReading reading() {
            return durations == null
                    ? null
                    : DurationReading.named(durations)
                            .orElseThrow(() -> TransferProblem.invalid(
                                    "durations", Text.of("http.field.one-of", "values", "hours, minutes, text")));
        }

        private @Nullable String charset() {
            return encoding == null
                    ? null
                    : FileEncoding.named(encoding)
                            .orElseThrow(
                                    () -> TransferProblem.invalid("encoding", Text.of("records.transfer.no-encoding")));
        }

        private static boolean isStorable(Map.Entry<String, @Nullable String> column) {
            return column.getValue() != null && Utf8.isStorable(column.getKey()) && Utf8.isStorable(column.getValue());
        }

        private String separator() {
            if (delimiter == null) {
                return CsvDelimiter.FOUND_OUT;
            }
            if (delimiter.length() != 1 || delimiter.charAt(0) > 126 || "\"\r\n\0".contains(delimiter)) {
                throw TransferProblem.invalid("delimiter", Text.of("records.transfer.delimiter"));
            }
            return delimiter;
        }

        private String zone() {
            try {
                return timeZone == null ? "UTC" : ZoneId.of(timeZone).getId();
            } catch (DateTimeException e) {
                throw TransferProblem.invalid("timeZone", Text.of("records.transfer.zone"));
            }
        }

        private boolean makesOptions() {
            return switch (options) {
                case null -> false;
                case "refuse" -> false;
                case "create" -> true;
                default ->
                    throw TransferProblem.invalid(
                            "options", Text.of("records.query.either", "one", "refuse", "other", "create"));
            };
        }

        private boolean skips() {
            return switch (onError) {
                case null -> false;
                case "stop" -> false;
                case "skip" -> true;
                default -> throw TransferProblem.invalid("onError", Text.of("records.transfer.on-error"));
            };
        }
    }

    private record ImportView(
            String id,
            String schema,
            String format,
            String state,
            String createdBy,
            String source,
            @Nullable Long size,
            long received,
            long lines,
            long line,
            long rows,
            long errorLines,
            int percent,
            @Nullable String failure,
            Instant createdAt,
            @Nullable Instant endedAt) {

        static ImportView of(Import found, Language language) {
            var failure = found.failure();
            return new ImportView(
                    found.id().hex(),
                    found.schema(),
                    found.options().format().label(),
                    found.state().label(),
                    found.by().hex(),
                    found.source(),
                    found.size(),
                    found.received(),
                    found.progress().position(),
                    found.progress().line(),
                    found.progress().rows(),
                    found.progress().errors(),
                    found.percent(),
                    failure == null ? null : failure.in(language),
                    found.id().createdAt(),
                    found.endedAt());
        }
    }

    private record DetailView(@JsonUnwrapped ImportView view, List<LineFault> errors) {}

    private record PreviewView(
            List<ImportPreview.Column> columns,
            List<ImportPreview.PreviewRow> rows,
            long lines,
            List<LineFault> errors,
            boolean whole) {}

    private record LineFault(long line, String field, String message) {

        static List<LineFault> of(List<LineError> errors, Language language) {
            return errors.stream()
                    .map(error -> new LineFault(
                            error.line(), error.field(), error.message().in(language)))
                    .toList();
        }
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var project = project(ctx);
        var requested = Body.json(ctx, Create.class).toImport();
        var language = RequestLanguage.of(ctx);
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var created = imports.create(tx, caller, project, requested);
            return Answer.created(
                    "/api/v1/projects/%s/imports/%s"
                            .formatted(project.hex(), created.id().hex()),
                    ImportView.of(created, language));
        });
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var project = project(ctx);
        var source = ctx.queryParam("source");
        var language = RequestLanguage.of(ctx);
        ctx.json(list.page(
                        ctx,
                        (before, limit) -> imports.list(caller, project, source, before.orElse(Long.MAX_VALUE), limit))
                .map(found -> ImportView.of(found, language)));
    }

    private void get(Context ctx) {
        var details = imports.details(Caller.of(ctx), project(ctx), id(ctx));
        var language = RequestLanguage.of(ctx);
        ctx.json(new DetailView(ImportView.of(details.found(), language), LineFault.of(details.errors(), language)));
    }

    private void received(Context ctx) {
        writeOffset(ctx, imports.get(Caller.of(ctx), project(ctx), id(ctx)).received());
        ctx.header("Cache-Control", "no-store");
    }

    private void append(Context ctx) {
        var offset = ctx.header(OFFSET);
        if (offset == null || !offset.matches("[0-9]{1,18}")) {
            throw TransferProblem.invalid(OFFSET, Text.of("records.transfer.offset"));
        }
        try {
            writeOffset(
                    ctx,
                    imports.append(
                            Caller.of(ctx),
                            project(ctx),
                            id(ctx),
                            Long.parseLong(offset),
                            ctx.req().getInputStream()));
            ctx.status(204);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void replace(Context ctx) {
        try {
            writeOffset(
                    ctx,
                    imports.replace(
                            Caller.of(ctx), project(ctx), id(ctx), ctx.req().getInputStream()));
            ctx.status(204);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void writeOffset(Context ctx, long received) {
        ctx.header(OFFSET, Long.toString(received));
    }

    private void preview(Context ctx) {
        var preview = imports.preview(Caller.of(ctx), project(ctx), id(ctx));
        ctx.json(new PreviewView(
                preview.columns(),
                preview.rows(),
                preview.lines(),
                LineFault.of(preview.errors(), RequestLanguage.of(ctx)),
                preview.whole()));
    }

    private void start(Context ctx) {
        accepted(ctx, imports.start(Caller.of(ctx), project(ctx), id(ctx)));
    }

    private void cancel(Context ctx) {
        accepted(ctx, imports.cancel(Caller.of(ctx), project(ctx), id(ctx)));
    }

    private static void accepted(Context ctx, Import found) {
        ctx.status(202).json(ImportView.of(found, RequestLanguage.of(ctx)));
    }

    private static ProjectId project(Context ctx) {
        return ProjectId.parse(ctx.pathParam("project"));
    }

    private static ImportId id(Context ctx) {
        return ImportId.parse(ctx.pathParam("import"));
    }
}
