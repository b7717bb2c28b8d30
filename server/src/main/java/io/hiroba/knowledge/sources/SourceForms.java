package io.hiroba.knowledge.sources;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceType;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Body;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what requests hand in: JSON with a text or an address, or a form with a file. */
final class SourceForms {

    /** A text takes more room in JSON than outside, but rarely twice as much. */
    private static final int JSON_FACTOR = 2;

    private final ByteSize largest;
    private final ByteSize largestJson;

    SourceForms(SourcesConfig config) {
        this.largest = config.largest();
        this.largestJson = new ByteSize(config.largest().bytes() * JSON_FACTOR);
    }

    /** Something handed in, and what tells the request from another. */
    static final class Form {

        private final Handed handed;
        private final boolean isPublic;
        private final byte[] fingerprint;

        Form(Handed handed, boolean isPublic, byte[] fingerprint) {
            this.handed = handed;
            this.isPublic = isPublic;
            this.fingerprint = fingerprint;
        }

        Handed handed() {
            return handed;
        }

        /** Whether everybody may read it; says nothing where a source is there already. */
        boolean isPublic() {
            return isPublic;
        }

        byte[] fingerprint() {
            return fingerprint;
        }
    }

    private record Asked(
            @Nullable String title,
            @Nullable String text,
            @Nullable String mediaType,
            @Nullable String url,
            @Nullable String visibility,
            @Nullable String type,
            @Nullable Map<String, Object> metadata) {

        Handed handed() {
            if (url != null) {
                if (text != null || title != null || mediaType != null || type != null || metadata != null) {
                    throw KnowledgeProblem.invalid("url", "must stand alone: the page tells the rest");
                }
                return new Handed.Url(url);
            }
            return written();
        }

        Handed written() {
            if (text == null) {
                throw KnowledgeProblem.invalid("text", "must not be missing");
            }
            var known = type == null
                    ? SourceType.NOTE
                    : SourceType.of(type)
                            .orElseThrow(() -> KnowledgeProblem.invalid("type", "is not a type of sources"));
            return new Handed.Text(title, text, mediaType, known, metadata == null ? Map.of() : metadata);
        }
    }

    /** A source to be added. */
    Form addition(Context ctx) {
        if (ctx.isMultipartFormData()) {
            return form(file(ctx), isPublic(ctx.formParam("visibility")));
        }
        var body = Body.bytes(ctx, largestJson);
        var asked = Body.exactJson(ctx, body, Asked.class);
        return new Form(asked.handed(), isPublic(asked.visibility()), body);
    }

    /** Other content for a source. */
    Form replacement(Context ctx) {
        if (ctx.isMultipartFormData()) {
            return form(file(ctx), false);
        }
        var body = Body.bytes(ctx, largestJson);
        var asked = Body.exactJson(ctx, body, Asked.class);
        if (asked.url() != null || asked.visibility() != null || asked.type() != null) {
            throw KnowledgeProblem.invalid("text", "must come alone, with a title, a mediaType and metadata at most");
        }
        return new Form(asked.written(), false, body);
    }

    /** What comes in parts is told apart by them: what stands between is another in each request. */
    private static Form form(Handed.File file, boolean isPublic) {
        var out = new ByteArrayOutputStream();
        out.writeBytes((file.title() + "\n" + file.name() + "\n" + isPublic + "\n").getBytes(StandardCharsets.UTF_8));
        out.writeBytes(file.content());
        return new Form(file, isPublic, out.toByteArray());
    }

    private Handed.File file(Context ctx) {
        var file = ctx.uploadedFile("file");
        if (file == null) {
            throw KnowledgeProblem.invalid("file", "must be a part of the form");
        }
        try (var in = file.content()) {
            var content = in.readNBytes(largest.toInt() + 1);
            if (content.length > largest.bytes()) {
                throw KnowledgeProblem.tooLarge(largest);
            }
            return new Handed.File(ctx.formParam("title"), name(file.filename()), file.contentType(), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without the folders that some browsers put in front. */
    private static String name(@Nullable String name) {
        return name == null ? "" : name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    }

    static boolean isPublic(@Nullable String visibility) {
        return switch (visibility) {
            case "public" -> true;
            case "private" -> false;
            case null, default -> throw KnowledgeProblem.invalid("visibility", "must be private or public");
        };
    }
}
