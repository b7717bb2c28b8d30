package io.hiroba.records.views;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Sha256;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaCatalog;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Links by which anybody sees a view, as far as the member who shared it may read it at that time. */
public final class ViewLinks {

    private static final int MAX_LINKS = 20;
    private static final Duration DEFAULT = Duration.ofDays(30);
    private static final Duration LONGEST = Duration.ofDays(366);
    private static final int TOKEN_BYTES = 32;
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{43}");

    private final Db db;
    private final Clock clock;
    private final IdGenerator ids;
    private final Projects projects;
    private final SchemaCatalog catalog;
    private final Views views;
    private final Users users;
    private final AuditLog audit;
    private final SecureRandom random = new SecureRandom();
    private final ViewLinkStore store = new ViewLinkStore();

    ViewLinks(Db db, Clock clock, IdGenerator ids, Projects projects, SchemaCatalog catalog, Views views, Users users) {
        this.users = users;
        this.db = db;
        this.clock = clock;
        this.ids = ids;
        this.projects = projects;
        this.catalog = catalog;
        this.views = views;
        this.audit = new AuditLog(db);
    }

    /** A link; its token is known to who made it alone. */
    public record Link(ViewId id, ViewId view, UserId sharer, Instant expiresAt) {}

    /** A new link with its token, which is told once. */
    public record NewLink(Link link, String token) {}

    /** A view that a link leads to, with the access of who shared it. */
    public record Opened(ProjectAccess access, ResolvedView view) {}

    /** Shares a view; for editors. */
    public NewLink create(ProjectAccess access, Schema schema, ViewId id, @Nullable Instant expires) {
        access.requireEditor();
        var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var until = expires == null ? now.plus(DEFAULT) : expires.truncatedTo(ChronoUnit.SECONDS);
        if (!until.isAfter(now) || until.isAfter(now.plus(LONGEST))) {
            throw RecordsProblem.invalid("expiresAt", Text.of("records.field.link-expiry"));
        }
        var view = views.get(access, schema, id);
        var bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        var token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        var link = new Link(new ViewId(ids.next()), id, access.user(), until);
        db.useTransaction(tx -> {
            // An admin who is no member has no access that could be lent.
            if (projects.find(tx, access.project().id(), access.user()).isEmpty()) {
                throw RecordsProblem.noMember();
            }
            views.nameColumns(tx, access, schema, id);
            store.deleteExpired(tx, id, now);
            if (store.list(tx, id, now).size() >= MAX_LINKS) {
                throw ViewProblem.tooManyLinks(MAX_LINKS);
            }
            store.insert(tx, access.project().id(), link, Sha256.of(token));
            record(tx, access, AuditLog.Action.VIEW_LINK_CREATED, view, link);
        });
        return new NewLink(link, token);
    }

    /** The links of a view, the oldest first; for editors. */
    public List<Link> list(ProjectAccess access, Schema schema, ViewId id) {
        access.requireEditor();
        views.get(access, schema, id);
        return db.read(reads -> store.list(reads, id, clock.instant()));
    }

    /** Revokes a link; whoever may share the view may do so. */
    public void revoke(ProjectAccess access, Schema schema, ViewId id, ViewId link) {
        access.requireEditor();
        var view = views.get(access, schema, id);
        db.useTransaction(tx -> {
            var found = store.list(tx, id, clock.instant()).stream()
                    .filter(each -> each.id().equals(link))
                    .findFirst()
                    .orElseThrow(ViewProblem::noLink);
            if (store.delete(tx, found)) {
                record(tx, access, AuditLog.Action.VIEW_LINK_REVOKED, view, found);
            }
        });
    }

    /**
     * The view that a link leads to. All is asked anew: whether the sharer is still an editor, still sees the view, and what of it. If the
     * filter names what is gone or hidden from them, the link shows nothing: without that condition it would show more than was
     * shared.
     */
    public Opened open(String token) {
        if (!TOKEN.matcher(token).matches()) {
            throw ViewProblem.noLink();
        }
        return db.read(reads -> store.find(reads, Sha256.of(token), clock.instant())
                        .flatMap(shared -> projects.find(
                                        reads, shared.project(), shared.link().sharer())
                                .filter(access ->
                                        access.role() != ProjectRole.VIEWER && !users.isSuspended(reads, access.user()))
                                .flatMap(access -> views.find(
                                                reads,
                                                access,
                                                shared.schema(),
                                                shared.link().view())
                                        .map(view -> new Found(access, view)))))
                .flatMap(this::opened)
                .orElseThrow(ViewProblem::noLink);
    }

    private record Found(ProjectAccess access, ViewRow view) {}

    private Optional<Opened> opened(Found found) {
        Schema schema;
        try {
            // A cached schema could show what was hidden since.
            schema = catalog.refreshed(
                    found.access().tables(), String.valueOf(found.view().schema()));
        } catch (RecordsProblem deleted) {
            return Optional.empty();
        }
        // What was added to the schema since was not shared.
        var resolved = views.resolved(found.access(), schema, found.view()).ofNamedColumns();
        return views.isFilterWhole(found.access(), schema, found.view())
                ? Optional.of(new Opened(found.access(), resolved))
                : Optional.empty();
    }

    private void record(Tx tx, ProjectAccess access, AuditLog.Action action, ViewRow view, Link link) {
        var project = access.project();
        var target =
                Target.of(TargetKind.SCHEMA, project.id().hex() + "/" + view.schema(), view.name(), project.client());
        var changes = Changes.NONE
                .with("view", null, view.id().hex())
                .with("link", null, link.id().hex())
                .with("expiresAt", null, link.expiresAt());
        audit.record(tx, access.caller(), action, target, changes);
    }
}
