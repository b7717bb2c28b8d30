package io.hiroba.records;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Uploads and downloads of files over HTTP. Browsers run nothing of them as ours. */
final class AttachmentRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/attachments";

    /** The types that are named to a browser; others are just bytes. */
    private static final Set<String> NAMED =
            Set.of("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "text/plain");

    private final Projects projects;
    private final Attachments attachments;

    AttachmentRoutes(Projects projects, Attachments attachments) {
        this.projects = projects;
        this.attachments = attachments;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, this::upload);
        routes.get(PATH + "/{attachment}", ctx -> send(ctx, false));
        routes.get(PATH + "/{attachment}/thumbnail", ctx -> send(ctx, true));
    }

    private void upload(Context ctx) {
        var access = RecordRequests.access(projects, ctx).requireEditor();
        var file = ctx.isMultipartFormData() ? ctx.uploadedFile("file") : null;
        if (file == null) {
            throw RecordsProblem.invalid("file", Text.of("records.field.file"));
        }
        try (var content = file.content()) {
            ctx.status(201).json(attachments.upload(access, file.filename(), file.contentType(), content));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send(Context ctx, boolean thumbnail) {
        var access = RecordRequests.access(projects, ctx);
        var file = attachments.open(access, ctx.pathParam("attachment"), thumbnail);
        // The reader's rights may end at any time.
        ctx.header("Cache-Control", "private, no-cache");
        ctx.header("X-Content-Type-Options", "nosniff");
        ctx.header("Content-Security-Policy", "default-src 'none'; sandbox");
        ctx.header(
                "Content-Disposition", thumbnail ? "inline" : "attachment; filename*=UTF-8''" + encoded(file.name()));
        ctx.contentType(NAMED.contains(file.type()) ? file.type() : "application/octet-stream");
        ctx.res().setContentLengthLong(file.content().length());
        ctx.result(file.content().content());
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }
}
