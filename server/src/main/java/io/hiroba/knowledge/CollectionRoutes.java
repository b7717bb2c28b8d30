package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.CollectionWatches.Watch;
import io.hiroba.knowledge.CollectionWatches.WatchKind;
import io.hiroba.knowledge.KnowledgeCollections.Collection;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeCollections.Leftovers;
import io.hiroba.knowledge.KnowledgeCollections.Member;
import io.hiroba.knowledge.KnowledgeCollections.Role;
import io.hiroba.knowledge.KnowledgeCollections.Visibility;
import io.hiroba.knowledge.SharedProjects.ProjectShare;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API of collections and their members. */
final class CollectionRoutes implements Routes {

    private static final String PATH = "/api/v1/knowledge/collections";
    private static final String ONE = PATH + "/{id}";

    private final KnowledgeCollections collections;
    private final CollectionWatches watches;
    private final Idempotency idempotency;
    private final KeysetList<Collection, CollectionId> list;
    private final KeysetList<Member, Long> members;
    private final KeysetList<ProjectShare, Long> projects;

    CollectionRoutes(
            KnowledgeCollections collections, CollectionWatches watches, Idempotency idempotency, Cursors cursors) {
        this.collections = collections;
        this.watches = watches;
        this.idempotency = idempotency;
        this.list = new KeysetList<>(
                cursors,
                "knowledge-collections",
                cursor -> CollectionId.parse(cursor.text(0)),
                last -> Cursor.of(last.id().hex()));
        this.members = new KeysetList<>(
                cursors,
                "knowledge-collection-members",
                cursor -> UserId.parse(cursor.text(0)).value(),
                last -> Cursor.of(last.user().hex()));
        this.projects = new KeysetList<>(
                cursors,
                "knowledge-collection-projects",
                cursor -> Ids.parse(cursor.text(0)),
                last -> Cursor.of(Ids.hex(last.id())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, this::create);
        routes.get(PATH, this::list);
        routes.get(ONE, this::get);
        routes.patch(ONE, this::change);
        routes.delete(ONE, this::delete);
        routes.get(ONE + "/members", this::members);
        routes.put(ONE + "/members/{user}", this::put);
        routes.delete(ONE + "/members/{user}", this::remove);
        routes.get(ONE + "/projects", this::projects);
        routes.put(ONE + "/projects/{project}", this::putProject);
        routes.delete(ONE + "/projects/{project}", this::removeProject);
        routes.get(ONE + "/watches", this::watches);
        routes.post(ONE + "/watches", this::watch);
        routes.post(ONE + "/watches/{watch}/check", this::check);
        routes.delete(ONE + "/watches/{watch}", this::unwatch);
    }

    private record CollectionView(
            String id,
            String name,
            String description,
            Visibility visibility,
            Role role,
            @Nullable String ownedBy,
            Instant createdAt) {

        static CollectionView of(Collection collection) {
            return new CollectionView(
                    collection.id().hex(),
                    collection.name(),
                    collection.description(),
                    collection.visibility(),
                    collection.role(),
                    collection.isNobodys() ? null : collection.owner().hex(),
                    collection.id().createdAt());
        }
    }

    private record MemberView(
            String userId, String nickname, @Nullable String avatar, Role role) {

        static MemberView of(Member member) {
            return new MemberView(member.user().hex(), member.nickname(), member.avatar(), member.role());
        }
    }

    private record Create(String name, @Nullable String description, String visibility) {}

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var body = Body.json(ctx, Create.class);
        var visibility = Visibility.parse(body.visibility());
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var made = collections.create(tx, caller, body.name(), body.description(), visibility);
            return Answer.created(PATH + "/" + made.id().hex(), CollectionView.of(made));
        });
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(list.page(ctx, (before, limit) -> collections.list(caller, before, limit))
                .map(CollectionView::of));
    }

    private void get(Context ctx) {
        ctx.json(CollectionView.of(collections.get(Caller.of(ctx), id(ctx))));
    }

    private record Change(
            @Nullable String name,
            @Nullable String description,
            @Nullable String visibility) {}

    private void change(Context ctx) {
        var body = Body.json(ctx, Change.class);
        var visibility = body.visibility() == null ? null : Visibility.parse(body.visibility());
        ctx.json(CollectionView.of(
                collections.change(Caller.of(ctx), id(ctx), body.name(), body.description(), visibility)));
    }

    private void delete(Context ctx) {
        var given = QueryParams.of(ctx, KnowledgeProblem::invalid).text("sources");
        var leftovers = switch (given) {
            case "delete" -> Leftovers.DELETE;
            case "keep" -> Leftovers.KEEP;
            case null, default -> throw KnowledgeProblem.invalid("sources", Text.of("knowledge.field.leftovers"));
        };
        collections.delete(Caller.of(ctx), id(ctx), leftovers);
        ctx.status(204);
    }

    private void members(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        ctx.json(members.page(ctx, (after, limit) -> collections.members(caller, id, after.orElse(-1L), limit))
                .map(MemberView::of));
    }

    private record Put(String role) {}

    private void put(Context ctx) {
        var role = Role.parse(Body.json(ctx, Put.class).role());
        collections.put(Caller.of(ctx), id(ctx), user(ctx), role);
        ctx.status(204);
    }

    private void remove(Context ctx) {
        collections.remove(Caller.of(ctx), id(ctx), user(ctx));
        ctx.status(204);
    }

    private record ProjectView(String projectId, String name, Role role) {

        static ProjectView of(ProjectShare member) {
            return new ProjectView(Ids.hex(member.id()), member.name(), member.role());
        }
    }

    private void projects(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        ctx.json(projects.page(ctx, (after, limit) -> collections.projects().list(caller, id, after.orElse(-1L), limit))
                .map(ProjectView::of));
    }

    private void putProject(Context ctx) {
        var role = Role.parse(Body.json(ctx, Put.class).role());
        collections.projects().put(Caller.of(ctx), id(ctx), project(ctx), role);
        ctx.status(204);
    }

    private void removeProject(Context ctx) {
        collections.projects().remove(Caller.of(ctx), id(ctx), project(ctx));
        ctx.status(204);
    }

    private record WatchView(
            String id,
            WatchKind kind,
            String location,
            String files,
            long intervalMinutes,
            int sources,
            int failures,
            @Nullable String problem,
            @Nullable Instant checkedAt,
            @Nullable Instant changedAt,
            String ownedBy) {

        static WatchView of(Watch watch, Language language) {
            return new WatchView(
                    Ids.hex(watch.id()),
                    watch.kind(),
                    watch.location(),
                    watch.files(),
                    watch.interval().toMinutes(),
                    watch.sources(),
                    watch.failures(),
                    watch.problem() == null ? null : watch.problem().in(language),
                    watch.checkedAt(),
                    watch.changedAt(),
                    watch.owner().hex());
        }
    }

    private record Watches(List<WatchView> items) {}

    private void watches(Context ctx) {
        var language = RequestLanguage.of(ctx);
        ctx.json(new Watches(watches.list(Caller.of(ctx), id(ctx)).stream()
                .map(watch -> WatchView.of(watch, language))
                .toList()));
    }

    private record NewWatch(
            String kind, String location, @Nullable String files, long intervalMinutes) {}

    private void watch(Context ctx) {
        var body = Body.json(ctx, NewWatch.class);
        var interval = Duration.ofMinutes(Math.clamp(body.intervalMinutes(), 0, 1_000_000));
        var made = watches.add(
                Caller.of(ctx), id(ctx), WatchKind.parse(body.kind()), body.location(), body.files(), interval);
        ctx.status(201).json(WatchView.of(made, RequestLanguage.of(ctx)));
    }

    private void check(Context ctx) {
        watches.hasten(Caller.of(ctx), id(ctx), Ids.parse(ctx.pathParam("watch")));
        ctx.status(202);
    }

    private void unwatch(Context ctx) {
        watches.remove(Caller.of(ctx), id(ctx), Ids.parse(ctx.pathParam("watch")));
        ctx.status(204);
    }

    private static CollectionId id(Context ctx) {
        return CollectionId.parse(ctx.pathParam("id"));
    }

    private static long project(Context ctx) {
        return Ids.parse(ctx.pathParam("project"));
    }

    private static UserId user(Context ctx) {
        return UserId.parse(ctx.pathParam("user"));
    }
}
