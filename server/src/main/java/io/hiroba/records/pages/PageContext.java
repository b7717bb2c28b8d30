package io.hiroba.records.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Avatar;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.RemovedSchemas;
import io.hiroba.records.RowId;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaCatalog;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The context of a page: the project and schema in its path, as the reader may read them. */
final class PageContext {

    private static final Logger LOG = LoggerFactory.getLogger(PageContext.class);

    /** The bytes of a refused form that are still read. */
    private static final long MAX_SKIPPED_BYTES = 32L << 20;

    /** The most members in a list to choose from. */
    private static final int MAX_MEMBERS = 200;

    private final Projects projects;
    private final SchemaCatalog catalog;
    private final RemovedSchemas removed;
    private final Users users;
    private final ByteSize largest;

    /** @param largest the maximum size of a form */
    PageContext(Projects projects, SchemaCatalog catalog, RemovedSchemas removed, Users users, ByteSize largest) {
        this.projects = projects;
        this.catalog = catalog;
        this.removed = removed;
        this.users = users;
        this.largest = largest;
    }

    /** The person with this id; empty if the account was deleted. */
    Optional<Cell.Item> person(String user) {
        if (!Ids.isId(user)) {
            return Optional.empty();
        }
        return users.find(UserId.parse(user)).map(profile -> {
            var nickname = profile.user().nickname().value();
            return new Cell.Item(
                    nickname, null, Avatar.of(user, nickname, profile.user().avatar()), null);
        });
    }

    /** The members who can be chosen in a filter. */
    List<Filter.Choice> members(ProjectAccess access) {
        return members(access, "", MAX_MEMBERS);
    }

    /** Members of the project whose nicknames begin with {@code prefix}. */
    List<Filter.Choice> members(ProjectAccess access, String prefix, int limit) {
        return projects.members(access, prefix, limit).stream()
                .map(each -> new Filter.Choice(each.user().hex(), each.nickname()))
                .toList();
    }

    /** The id of the member who is meant by a nickname, if one has it; otherwise the same text. */
    String member(ProjectAccess access, String typed) {
        if (typed.isBlank() || Ids.isId(typed.strip())) {
            return typed.strip();
        }
        var called = projects.called(access, List.of(typed)).getOrDefault(typed, List.of());
        return called.size() == 1 ? called.getFirst().hex() : typed;
    }

    ProjectAccess project(Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")));
    }

    /** The same as the one sees it whom an owner asks for by {@code seeAs}, on pages that only read. */
    ProjectAccess seen(Context ctx) {
        var access = project(ctx);
        var seeAs = ctx.queryParam(GridRequest.SEE_AS);
        return seeAs == null || seeAs.isEmpty() ? access : projects.seeAs(access, seeAs);
    }

    /** The schema in the path, as the reader may read it. */
    RecordAccess schema(Context ctx, ProjectAccess access) {
        var name = ctx.pathParam("schema");
        try {
            return recordAccess(access, catalog.refreshed(access.tables(), name));
        } catch (RecordsProblem refusal) {
            throw orRemoved(access, name, refusal);
        }
    }

    /** What to tell of a schema that is not there: that it was deleted, or {@code refusal}. */
    RuntimeException orRemoved(ProjectAccess access, String schema, Problem refusal) {
        var found = refusal.kind() == Problem.Kind.NOT_FOUND
                ? removed.find(access, schema)
                : Optional.<RemovedSchemas.Removed>empty();
        return found.isPresent() ? new SchemaRemovedException(access, found.get()) : refusal;
    }

    /** A schema that may not exist yet. */
    Optional<RecordAccess> schema(ProjectAccess access, String name) {
        try {
            return Optional.of(recordAccess(access, catalog.refreshed(access.tables(), name)));
        } catch (RecordsProblem e) {
            return Optional.empty();
        }
    }

    /** The schema of a reference. */
    RecordAccess target(ProjectAccess access, short schema) {
        return recordAccess(access, catalog.cached(access.tables(), schema));
    }

    static RowId row(Context ctx) {
        return RowId.parse(ctx.pathParam("row"));
    }

    /**
     * Whether a form is too large. The body is drained first: a browser whose upload is cut off shows no response.
     */
    boolean isTooLarge(Context ctx) {
        long size = ctx.req().getContentLengthLong();
        if (size <= largest.bytes()) {
            return false;
        }
        try {
            ctx.req().getInputStream().skipNBytes(Math.min(size, MAX_SKIPPED_BYTES));
        } catch (IOException e) {
            LOG.debug("The sender went away", e);
        }
        return true;
    }

    /** The maximum size of a form, in words. */
    Text largestForm() {
        return Text.of("records.megabytes", "count", largest.bytes() >> 20);
    }

    /** Whether a problem is shown in the form; others have their own page. */
    static boolean belongsToForm(Problem refusal) {
        return switch (refusal.kind()) {
            case INVALID, CONFLICT, PRECONDITION_FAILED, TOO_LARGE, UNPROCESSABLE, RATE_LIMITED -> true;
            case UNAUTHENTICATED,
                    FORBIDDEN,
                    NOT_FOUND,
                    GONE,
                    METHOD_NOT_ALLOWED,
                    UNSUPPORTED_MEDIA_TYPE,
                    INTERNAL,
                    UNAVAILABLE -> false;
        };
    }

    /** The attributes that the reader may read and write; the facades apply the row rules. */
    private static RecordAccess recordAccess(ProjectAccess access, Schema schema) {
        return new RecordAccess(schema, schema.binding(access.role()), access.user(), null);
    }
}
