package io.hiroba.social.media;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The route that serves pictures to signed-in users, with headers that let a browser do nothing but show them. */
final class MediaFileRoutes implements Routes {

    private final Media media;

    MediaFileRoutes(Media media) {
        this.media = media;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(MediaFile.ROOT + "{owner}/{name}", this::serve);
    }

    private void serve(Context ctx) {
        Caller.of(ctx);
        var file = MediaFile.parse(ctx.pathParam("owner"), ctx.pathParam("name"))
                .filter(media::isServed)
                .orElseThrow(MediaProblem::notFound);
        // The content of a name never changes, so the name serves as the ETag.
        var tag = '"' + file.name() + '"';
        if (isKnown(ctx.header("If-None-Match"), tag)) {
            describe(ctx, tag);
            ctx.status(HttpStatus.NOT_MODIFIED);
            return;
        }
        var stored = media.open(file).orElseThrow(MediaProblem::notFound);
        describe(ctx, tag);
        ctx.contentType(file.encoding().contentType());
        ctx.res().setContentLengthLong(stored.length());
        ctx.result(stored.content());
    }

    private static void describe(Context ctx, String tag) {
        ctx.header("ETag", tag);
        ctx.header("Cache-Control", "private, max-age=31536000, immutable");
        ctx.header("Content-Security-Policy", "default-src 'none'; sandbox");
        ctx.header("X-Content-Type-Options", "nosniff");
        ctx.header("Content-Disposition", "inline");
    }

    private static boolean isKnown(@Nullable String header, String tag) {
        return header != null
                && Arrays.stream(header.split(",", -1))
                        .map(known -> known.strip().replaceFirst("^W/", ""))
                        .anyMatch(known -> known.equals(tag) || known.equals("*"));
    }
}
