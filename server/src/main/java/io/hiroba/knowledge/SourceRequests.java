package io.hiroba.knowledge;

import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.Sources.Placement;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.i18n.Text;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses requests that add or replace a source: JSON with a text or a URL, or a form with a file. */
final class SourceRequests {

    /** The factor for JSON: an escaped text is rarely more than twice as large. */
    private static final int JSON_FACTOR = 2;

    private final ByteSize maxSize;
    private final ByteSize maxJsonSize;

    SourceRequests(SourcesConfig config) {
        this.maxSize = config.largest();
        this.maxJsonSize = new ByteSize(config.largest().bytes() * JSON_FACTOR);
    }

    /** An input with the fingerprint of its request. */
    static final class SourceRequest {

        private final SourceInput input;
        private final Placement placement;
        private final byte[] fingerprint;

        SourceRequest(SourceInput input, Placement placement, byte[] fingerprint) {
            this.input = input;
            this.placement = placement;
            this.fingerprint = fingerprint;
        }

        SourceInput input() {
            return input;
        }

        /** Where to add it; without effect on a replaced source. */
        Placement placement() {
            return placement;
        }

        byte[] fingerprint() {
            return fingerprint;
        }
    }

    private record SourceBody(
            @Nullable String title,
            @Nullable String text,
            @Nullable String mediaType,
            @Nullable String url,
            @Nullable String visibility,
            @Nullable String type,
            @Nullable Map<String, Object> metadata,
            @Nullable String collection) {

        SourceInput input() {
            if (url != null) {
                if (text != null || title != null || mediaType != null || type != null || metadata != null) {
                    throw KnowledgeProblem.invalid("url", Text.of("knowledge.field.url-alone"));
                }
                return new SourceInput.Url(url);
            }
            return toText();
        }

        SourceInput toText() {
            if (text == null) {
                throw KnowledgeProblem.invalid("text", Text.of("knowledge.field.missing"));
            }
            var known = type == null ? SourceType.NOTE : SourceType.parse("type", type);
            return new SourceInput.Text(title, text, mediaType, known, metadata == null ? Map.of() : metadata);
        }
    }

    SourceRequest addition(Context ctx) {
        if (ctx.isMultipartFormData()) {
            return request(file(ctx), placement(ctx.formParam("visibility"), ctx.formParam("collection")));
        }
        var bytes = Body.bytes(ctx, maxJsonSize);
        var body = Body.exactJson(ctx, bytes, SourceBody.class);
        return new SourceRequest(body.input(), placement(body.visibility(), body.collection()), bytes);
    }

    SourceRequest replacement(Context ctx) {
        if (ctx.isMultipartFormData()) {
            return request(file(ctx), new Placement(false, null));
        }
        var bytes = Body.bytes(ctx, maxJsonSize);
        var body = Body.exactJson(ctx, bytes, SourceBody.class);
        if (body.url() != null || body.visibility() != null || body.type() != null || body.collection() != null) {
            throw KnowledgeProblem.invalid("text", Text.of("knowledge.field.text-alone"));
        }
        return new SourceRequest(body.toText(), new Placement(false, null), bytes);
    }

    /** A multipart request is identified by its parts: the boundary differs in each request. */
    private static SourceRequest request(SourceInput.File file, Placement placement) {
        var out = new ByteArrayOutputStream();
        var facts = List.of(
                String.valueOf(file.title()), file.name(), placement.toString(), String.valueOf(file.charset()));
        out.writeBytes((String.join("\n", facts) + "\n").getBytes(StandardCharsets.UTF_8));
        out.writeBytes(file.content());
        return new SourceRequest(file, placement, out.toByteArray());
    }

    private SourceInput.File file(Context ctx) {
        var file = ctx.uploadedFile("file");
        if (file == null) {
            throw KnowledgeProblem.invalid("file", Text.of("knowledge.field.part"));
        }
        try (var in = file.content()) {
            var content = in.readNBytes(maxSize.toInt() + 1);
            if (content.length > maxSize.bytes()) {
                throw KnowledgeProblem.tooLarge(maxSize);
            }
            return new SourceInput.File(
                    ctx.formParam("title"),
                    name(file.filename()),
                    file.contentType(),
                    ctx.formParam("charset"),
                    content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without the folders that some browsers send. */
    private static String name(@Nullable String name) {
        return name == null ? "" : name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    }

    /** In a collection, which decides who may read it, the visibility may be left out. */
    private static Placement placement(@Nullable String visibility, @Nullable String collection) {
        if (collection == null || collection.isEmpty()) {
            return new Placement(isPublic(visibility), null);
        }
        if (visibility != null && isPublic(visibility)) {
            throw KnowledgeProblem.invalid("visibility", Text.of("knowledge.field.collection-decides"));
        }
        return new Placement(false, CollectionId.parse(collection));
    }

    static boolean isPublic(@Nullable String visibility) {
        return switch (visibility) {
            case "public" -> true;
            case "private" -> false;
            case null, default -> throw KnowledgeProblem.invalid("visibility", Text.of("knowledge.field.visibility"));
        };
    }
}
