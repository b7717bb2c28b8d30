package io.hiroba.records.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.problem.Problem;
import io.hiroba.records.Access;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.data.RowId;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.Sight;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How readers come to what a page's address names, and what they see of it. */
public final class Entrance {

    private static final Logger LOG = LoggerFactory.getLogger(Entrance.class);

    /** How much of a refused form is read all the same. */
    private static final long PATIENCE = 32L << 20;

    private final Projects projects;
    private final Catalog catalog;
    private final ByteSize largest;

    /** @param largest what a form may bring */
    public Entrance(Projects projects, Catalog catalog, ByteSize largest) {
        this.projects = projects;
        this.catalog = catalog;
        this.largest = largest;
    }

    Access project(Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")));
    }

    /** The schema that the address names, as the reader sees it. */
    Sight schema(Context ctx, Access access) {
        return sight(access, catalog.renewed(access.tables(), ctx.pathParam("schema")));
    }

    /** A schema that may not be there yet. */
    Optional<Sight> schema(Access access, String name) {
        try {
            return Optional.of(sight(access, catalog.renewed(access.tables(), name)));
        } catch (RecordsProblem e) {
            return Optional.empty();
        }
    }

    /** The schema that a reference leads to. */
    Sight target(Access access, short schema) {
        return sight(access, catalog.known(access.tables(), schema));
    }

    static RowId row(Context ctx) {
        return RowId.parse(ctx.pathParam("row"));
    }

    /**
     * Whether a form is larger than can be read. What is on its way is passed over first: a browser that is cut off while it
     * sends shows no answer.
     */
    boolean isTooLarge(Context ctx) {
        long size = ctx.req().getContentLengthLong();
        if (size <= largest.bytes()) {
            return false;
        }
        try {
            ctx.req().getInputStream().skipNBytes(Math.min(size, PATIENCE));
        } catch (IOException e) {
            LOG.debug("The sender went away", e);
        }
        return true;
    }

    /** How large a form may be, in words. */
    String largestForm() {
        return "%,d MB".formatted(largest.bytes() >> 20);
    }

    /** Whether a refusal is shown in the form that was refused; the others are pages of their own. */
    static boolean belongsToForm(Problem refusal) {
        return switch (refusal.kind()) {
            case INVALID, CONFLICT, PRECONDITION_FAILED, TOO_LARGE, UNPROCESSABLE, RATE_LIMITED -> true;
            case UNAUTHENTICATED,
                    FORBIDDEN,
                    NOT_FOUND,
                    METHOD_NOT_ALLOWED,
                    UNSUPPORTED_MEDIA_TYPE,
                    INTERNAL,
                    UNAVAILABLE -> false;
        };
    }

    /** What is shown and may be written; which records are seen, the facades decide. */
    private static Sight sight(Access access, Schema schema) {
        return new Sight(schema, schema.rules().binding(access.role()), access.user(), null);
    }
}
