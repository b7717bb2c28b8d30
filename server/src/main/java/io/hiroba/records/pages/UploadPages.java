package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.Schemas;
import io.hiroba.records.transfer.CsvDelimiter;
import io.hiroba.records.transfer.FileFormat;
import io.hiroba.records.transfer.Import;
import io.hiroba.records.transfer.ImportOptions;
import io.hiroba.records.transfer.ImportState;
import io.hiroba.records.transfer.Imports;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.UploadedFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The upload of a file to import. A script uploads large files in parts through the API; without it the form sends the
 * whole file, within the limit of uploads.
 */
final class UploadPages implements Routes {

    private static final int MAX_NAME_LENGTH = 400;
    private static final int MAX_SHEET_NAME = 100;
    private static final int LATEST = 20;

    /** Those that a file without a byte order mark is often in; another one is an option of the API. */
    private static final List<String> ENCODINGS = List.of(
            "UTF-8",
            "Shift_JIS",
            "windows-31j",
            "EUC-JP",
            "GB18030",
            "Big5",
            "EUC-KR",
            "windows-1252",
            "ISO-8859-15",
            "UTF-16LE");

    /** Stands in a source between the name of the file and when it was changed. */
    static final String AS_OF = ", as of ";

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final Schemas schemas;
    private final Imports imports;

    UploadPages(Shell shell, Readers readers, PageContext context, Schemas schemas, Imports imports) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.schemas = schemas;
        this.imports = imports;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(
                RecordPaths.PROJECT + "/-/import",
                ctx -> show(ctx, Form.filled(Map.of("delimiter", "", "schema", ""))));
        routes.get(
                RecordPaths.SCHEMA + "/import",
                ctx -> show(ctx, Form.filled(Map.of("delimiter", "", "schema", ctx.pathParam("schema")))));
        routes.post(RecordPaths.PROJECT + "/-/import", this::receive);
    }

    private void receive(Context ctx) {
        var access = context.project(ctx).requireEditor();
        if (context.isTooLarge(ctx)) {
            tooLarge(ctx, access);
            return;
        }
        var form = Form.of(
                ctx,
                "schema",
                "newSchema",
                "format",
                "delimiter",
                "encoding",
                "sheet",
                "onError",
                "options",
                "source",
                "size",
                "modified",
                "file",
                "pasted");
        var file = chosen(ctx.uploadedFile("file"));
        boolean bySteps = !form.value("size").isEmpty();
        try {
            if (file == null && !bySteps) {
                paste(ctx, access, form);
                return;
            }
            var requested = requested(ctx, form, file);
            if (file == null) {
                var begun = begun(access, requested)
                        .orElseGet(() ->
                                imports.create(access.caller(), access.project().id(), requested));
                ctx.json(new Begun(access, begun).view());
                return;
            }
            var made = imports.create(access.caller(), access.project().id(), requested);
            try (var content = file.content()) {
                imports.replace(access.caller(), access.project().id(), made.id(), content);
            }
            shell.seeOther(ctx, page(access, made));
        } catch (Problem refusal) {
            if (bySteps || !PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, RecordPaths.part(access.project().id(), "import"));
            show(ctx, form.refused(refusal));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A form without a file may have one without a name. */
    private static @Nullable UploadedFile chosen(@Nullable UploadedFile file) {
        return file == null || (file.filename().isEmpty() && file.size() == 0) ? null : file;
    }

    private void paste(Context ctx, ProjectAccess access, Form form) {
        if (form.value("pasted").isBlank()) {
            throw RecordsProblem.invalid("file", Text.of("records.upload-none"));
        }
        var rows = form.value("pasted").getBytes(StandardCharsets.UTF_8);
        var options =
                options(ctx, form, PastedRows.format(form.value("pasted")), PastedRows.delimiter(form.value("pasted")));
        var source = readers.reader(ctx).text("records.paste-source");
        var project = access.project().id();
        var made = imports.create(
                access.caller(),
                project,
                new Imports.NewImport(schema(form), options.withEncoding("UTF-8"), source, (long) rows.length));
        imports.replace(access.caller(), project, made.id(), new ByteArrayInputStream(rows));
        shell.seeOther(ctx, page(access, made));
    }

    /** An interrupted upload of the same file with the same options. */
    private Optional<Import> begun(ProjectAccess access, Imports.NewImport requested) {
        return imports.list(access.caller(), access.project().id(), requested.source(), Long.MAX_VALUE, LATEST).stream()
                .filter(found -> found.state() == ImportState.UPLOADING
                        && found.by().equals(access.user())
                        && found.schema().equals(requested.schema())
                        && found.options().equals(requested.options())
                        && Objects.equals(found.size(), requested.size()))
                .findFirst();
    }

    private void tooLarge(Context ctx, ProjectAccess access) {
        var refusal =
                RecordsProblem.invalid("file", Text.of("records.upload-too-large", "size", context.largestForm()));
        shell.refused(ctx, refusal, RecordPaths.part(access.project().id(), "import"));
        show(ctx, Form.filled(Map.of("delimiter", "", "schema", "", "file", "")).refused(refusal));
    }

    /** The response to the script. */
    private record Begun(ProjectAccess access, Import made) {

        Map<String, Object> view() {
            var id = access.project().id().hex();
            return Map.of(
                    "received",
                    made.received(),
                    "content",
                    "/api/v1/projects/%s/imports/%s/content"
                            .formatted(id, made.id().hex()),
                    "page",
                    page(access, made));
        }
    }

    private Imports.NewImport requested(Context ctx, Form form, @Nullable UploadedFile file) {
        var name = file == null ? form.value("source") : file.filename();
        var source = (name.length() <= MAX_NAME_LENGTH ? name : name.substring(0, MAX_NAME_LENGTH)) + version(form);
        var options = options(ctx, form, format(form.value("format"), name), delimiter(form.value("delimiter"), name));
        return new Imports.NewImport(
                schema(form), options, source, size(file == null ? form.value("size") : Long.toString(file.size())));
    }

    private static String delimiter(String chosen, String source) {
        boolean isTab = chosen.equals("tab")
                || (chosen.isEmpty() && source.toLowerCase(Locale.ROOT).endsWith(".tsv"));
        return isTab ? "\t" : chosen.length() == 1 ? chosen : CsvDelimiter.FOUND_OUT;
    }

    private static String schema(Form form) {
        var schema = isNew(form) ? form.value("newSchema").strip() : form.value("schema");
        if (schema.isEmpty()) {
            throw RecordsProblem.invalid("newSchema", Text.of("records.must-be-given"));
        }
        return schema;
    }

    private static boolean isNew(Form form) {
        return form.value("schema").isEmpty();
    }

    private ImportOptions options(Context ctx, Form form, FileFormat format, String delimiter) {
        var options = new ImportOptions(
                        format,
                        delimiter,
                        readers.reader(ctx).zoneName(),
                        form.value("onError").equals("skip"),
                        isNew(form),
                        null)
                .makingOptions(!form.value("options").isEmpty())
                .withEncoding(ENCODINGS.contains(form.value("encoding")) ? form.value("encoding") : null);
        var sheet = form.value("sheet").strip();
        return format != FileFormat.XLSX || sheet.isEmpty() || sheet.length() > MAX_SHEET_NAME
                ? options
                : options.withSheet(sheet);
    }

    /** Identifies the state of the file, so that parts of different files are not combined. */
    private static String version(Form form) {
        var modified = form.value("modified");
        return modified.matches("[0-9]{1,15}")
                ? AS_OF + Instant.ofEpochMilli(Long.parseLong(modified)).truncatedTo(ChronoUnit.SECONDS)
                : "";
    }

    private static Long size(String text) {
        if (!text.matches("[1-9][0-9]{0,17}")) {
            throw RecordsProblem.invalid("file", Text.of("records.upload-empty"));
        }
        return Long.parseLong(text);
    }

    /** The chosen format, or the one of the file extension. */
    private static FileFormat format(String chosen, String source) {
        var name = source.toLowerCase(Locale.ROOT);
        boolean looksLikeJson = name.endsWith(".jsonl") || name.endsWith(".ndjson") || name.endsWith(".json");
        // An old workbook is told from CSV, so that its reader says what to do.
        boolean looksLikeSheet = name.endsWith(".xlsx") || name.endsWith(".xlsm") || name.endsWith(".xls");
        return FileFormat.named(chosen)
                .orElse(
                        name.endsWith(".parquet")
                                ? FileFormat.PARQUET
                                : looksLikeJson ? FileFormat.JSONL : looksLikeSheet ? FileFormat.XLSX : FileFormat.CSV);
    }

    private void show(Context ctx, Form form) {
        var access = context.project(ctx).requireEditor();
        var parameters = new HashMap<String, Object>();
        parameters.put("project", ProjectHeader.of(access));
        parameters.put("form", form);
        parameters.put("largest", context.largestForm());
        parameters.put("zone", readers.reader(ctx).zoneName());
        parameters.put(
                "schemas", schemas.list(access).stream().map(Schema::name).toList());
        parameters.put("chosen", form.value("schema"));
        parameters.put("encodings", ENCODINGS);
        shell.page(ctx, Text.of("records.import-file"), "records/upload", parameters);
    }

    private static String page(ProjectAccess access, Import made) {
        return RecordPaths.part(access.project().id(), "imports/" + made.id().hex());
    }
}
