package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Namesakes;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.knowledge.CollectionWatches;
import io.hiroba.knowledge.CollectionWatches.WatchKind;
import io.hiroba.knowledge.KnowledgeCollections;
import io.hiroba.knowledge.KnowledgeCollections.Collection;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeCollections.Leftovers;
import io.hiroba.knowledge.KnowledgeCollections.Role;
import io.hiroba.knowledge.KnowledgeCollections.Visibility;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.Sources;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The list of collections, and the page of one with its sources, members and settings. */
final class CollectionPages implements Routes {

    private static final String PATH = KnowledgePaths.COLLECTIONS + "/{id}";
    private static final int PAGE_SIZE = 30;
    private static final int MAX_PAGE_SIZE = 50;
    private static final int NEWEST_SOURCES = 10;
    /** The members shown at once; the API lists more. */
    private static final int MAX_MEMBERS = 200;

    private final Shell shell;
    private final SourceItems items;
    private final Users users;
    private final Sources sources;
    private final KnowledgeCollections collections;
    private final KeysetList<Collection, CollectionId> list;
    private final CollectionWatches watches;

    CollectionPages(
            Shell shell,
            SourceItems items,
            Users users,
            Sources sources,
            KnowledgeCollections collections,
            CollectionWatches watches,
            Cursors cursors) {
        this.shell = shell;
        this.items = items;
        this.users = users;
        this.sources = sources;
        this.collections = collections;
        this.watches = watches;
        this.list = new KeysetList<>(
                cursors,
                "pages.knowledge-collections",
                PAGE_SIZE,
                MAX_PAGE_SIZE,
                cursor -> CollectionId.parse(cursor.text(0)),
                last -> Cursor.of(last.id().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(KnowledgePaths.COLLECTIONS, ctx -> list(ctx, Form.EMPTY));
        routes.post(KnowledgePaths.COLLECTIONS, this::create);
        routes.get(PATH, ctx -> show(ctx, null, List.of()));
        routes.post(PATH, this::change);
        routes.post(PATH + "/delete", this::delete);
        routes.post(PATH + "/members", this::share);
        routes.post(PATH + "/members/{user}", this::setRole);
        routes.post(PATH + "/members/{user}/remove", this::remove);
        routes.post(PATH + "/projects", this::shareWithProject);
        routes.post(PATH + "/projects/{project}/remove", this::removeProject);
        routes.post(PATH + "/watches", this::watch);
        routes.post(PATH + "/watches/{watch}/check", this::check);
        routes.post(PATH + "/watches/{watch}/remove", this::unwatch);
    }

    private void list(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var page = list.page(ctx, (before, limit) -> collections.list(caller, before, limit));
        var more = page.next() == null
                ? ""
                : KnowledgePaths.Url.of(KnowledgePaths.COLLECTIONS)
                        .with("after", page.next())
                        .text();
        var shown = page.items().stream()
                .map(each -> CollectionItem.of(each, caller))
                .toList();
        shell.page(
                ctx,
                Text.of("knowledge.tabs.collections"),
                "knowledge/collections",
                Map.of("collections", shown, "more", more, "form", form));
    }

    private void create(Context ctx) {
        var form = Form.of(ctx, "name", "description", "visibility");
        try {
            var made =
                    collections.create(Caller.of(ctx), form.value("name"), form.value("description"), visibility(form));
            shell.seeOther(ctx, KnowledgePaths.collection(made.id()), Text.of("knowledge.collections.created"));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, KnowledgePaths.COLLECTIONS);
            list(ctx, form.refused(refusal));
        }
    }

    private static Visibility visibility(Form form) {
        return switch (form.value("visibility")) {
            case "public" -> Visibility.PUBLIC;
            case "shared" -> Visibility.SHARED;
            default -> Visibility.PRIVATE;
        };
    }

    private void change(Context ctx) {
        var form = Form.of(ctx, "name", "description", "visibility");
        run(
                ctx,
                form,
                () -> collections.change(
                        Caller.of(ctx), id(ctx), form.value("name"), form.value("description"), visibility(form)),
                Text.of("knowledge.collections.changed"));
    }

    private void delete(Context ctx) {
        var leftovers = Form.of(ctx, "sources").value("sources").equals("delete") ? Leftovers.DELETE : Leftovers.KEEP;
        collections.delete(Caller.of(ctx), id(ctx), leftovers);
        shell.seeOther(ctx, KnowledgePaths.COLLECTIONS, Text.of("knowledge.collections.deleted"));
    }

    private void share(Context ctx) {
        var form = Form.of(ctx, "who", "role");
        var found = Namesakes.of(users, form.value("who"));
        if (found.size() > 1) {
            show(ctx, form, found.stream().map(CollectionItem.Person::of).toList());
            return;
        }
        run(
                ctx,
                form,
                () -> {
                    var user = found.stream()
                            .findFirst()
                            .orElseThrow(
                                    () -> KnowledgeProblem.invalid("who", Text.of("knowledge.collections.nobody")));
                    collections.put(Caller.of(ctx), id(ctx), user.id(), Role.parse(form.value("role")));
                },
                Text.of("knowledge.collections.now-shared"));
    }

    private void setRole(Context ctx) {
        run(
                ctx,
                Form.EMPTY,
                () -> collections.put(
                        Caller.of(ctx),
                        id(ctx),
                        user(ctx),
                        Role.parse(Form.of(ctx, "role").value("role"))),
                Text.of("knowledge.collections.role-changed"));
    }

    private void remove(Context ctx) {
        var caller = Caller.of(ctx);
        var user = user(ctx);
        collections.remove(caller, id(ctx), user);
        boolean hasLeft = user.equals(caller.user());
        shell.seeOther(
                ctx,
                hasLeft ? KnowledgePaths.COLLECTIONS : KnowledgePaths.collection(id(ctx)),
                hasLeft ? Text.of("knowledge.collections.left") : Text.of("knowledge.collections.removed"));
    }

    /** Shares with another project, or gives one another role. */
    private void shareWithProject(Context ctx) {
        var form = Form.of(ctx, "project", "role");
        run(
                ctx,
                form,
                () -> {
                    if (!Ids.isId(form.value("project"))) {
                        throw KnowledgeProblem.invalid("project", Text.of("http.field.required"));
                    }
                    collections
                            .projects()
                            .put(
                                    Caller.of(ctx),
                                    id(ctx),
                                    Ids.parse(form.value("project")),
                                    Role.parse(form.value("role")));
                },
                Text.of("knowledge.collections.now-shared"));
    }

    private void removeProject(Context ctx) {
        collections.projects().remove(Caller.of(ctx), id(ctx), Ids.parse(ctx.pathParam("project")));
        shell.seeOther(ctx, KnowledgePaths.collection(id(ctx)), Text.of("knowledge.collections.removed"));
    }

    private void watch(Context ctx) {
        var form = Form.of(ctx, "kind", "location", "files", "hours");
        var hours = form.value("hours").matches("[0-9]{1,4}") ? Integer.parseInt(form.value("hours")) : 24;
        var kind = form.value("kind").isEmpty() ? WatchKind.URL : WatchKind.parse(form.value("kind"));
        run(
                ctx,
                form,
                () -> {
                    try {
                        watches.add(
                                Caller.of(ctx),
                                id(ctx),
                                kind,
                                form.value("location").strip(),
                                form.value("files"),
                                Duration.ofHours(hours));
                    } catch (Problem refusal) {
                        throw inForm(refusal);
                    }
                },
                Text.of("knowledge.watches.added"));
    }

    /** The form has one field for an address and a folder. */
    private static Problem inForm(Problem refusal) {
        return refusal.fields().stream()
                .filter(field -> field.field().equals("url"))
                .findFirst()
                .<Problem>map(field -> KnowledgeProblem.invalid("location", field.message()))
                .orElse(refusal);
    }

    private void check(Context ctx) {
        watches.hasten(Caller.of(ctx), id(ctx), Ids.parse(ctx.pathParam("watch")));
        shell.seeOther(ctx, KnowledgePaths.collection(id(ctx)), Text.of("knowledge.watches.checking"));
    }

    private void unwatch(Context ctx) {
        watches.remove(Caller.of(ctx), id(ctx), Ids.parse(ctx.pathParam("watch")));
        shell.seeOther(ctx, KnowledgePaths.collection(id(ctx)), Text.of("knowledge.watches.removed"));
    }

    private void run(Context ctx, Form form, Runnable action, Text notice) {
        try {
            action.run();
            shell.seeOther(ctx, KnowledgePaths.collection(id(ctx)), notice);
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, KnowledgePaths.collection(id(ctx)));
            show(ctx, form.refused(refusal), List.of());
        }
    }

    private void show(Context ctx, @Nullable Form refused, List<CollectionItem.Person> candidates) {
        var caller = Caller.of(ctx);
        var collection = collections.get(caller, id(ctx));
        var item = CollectionItem.of(collection, caller);
        var newest = sources.list(
                caller, new Sources.Filter(null, false, collection.id()), Optional.empty(), NEWEST_SOURCES + 1);
        var members = item.mayEdit()
                ? collections.members(caller, collection.id(), -1, MAX_MEMBERS).stream()
                        .map(CollectionItem.Person::of)
                        .toList()
                : List.<CollectionItem.Person>of();
        var projects = item.mayEdit()
                ? collections.projects().list(caller, collection.id(), -1, MAX_MEMBERS).stream()
                        .map(CollectionItem.Project::of)
                        .toList()
                : List.<CollectionItem.Project>of();
        var choices = item.mayManage()
                ? collections.projects().choices(caller, collection.id(), MAX_MEMBERS).stream()
                        .map(CollectionItem.Project::of)
                        .toList()
                : List.<CollectionItem.Project>of();
        var filled = Map.of(
                "name", collection.name(), "description", collection.description(), "visibility", item.visibility());
        var form = Form.filled(filled);
        if (refused != null) {
            form = refused.values().containsKey("name")
                    ? refused
                    : new Form(merged(filled, refused.values()), refused.errors(), refused.problem());
        }
        shell.page(
                ctx,
                Text.verbatim(collection.name()),
                "knowledge/collection",
                Map.ofEntries(
                        Map.entry("collection", item),
                        Map.entry("sources", items.of(ctx, newest.subList(0, Math.min(newest.size(), NEWEST_SOURCES)))),
                        Map.entry("hasMore", newest.size() > NEWEST_SOURCES),
                        Map.entry("members", members),
                        Map.entry("projects", projects),
                        Map.entry("projectChoices", choices),
                        Map.entry("mayLeave", collections.mayLeave(caller, collection.id())),
                        Map.entry("places", places(ctx, caller, collection)),
                        Map.entry("mayWatchFolders", watches.mayWatchFolders(caller)),
                        Map.entry("self", caller.user().hex()),
                        Map.entry("candidates", candidates),
                        Map.entry("form", form)));
    }

    private List<CollectionItem.Place> places(Context ctx, Caller caller, Collection collection) {
        var reader = items.reader(ctx);
        return collection.mayEdit()
                ? watches.list(caller, collection.id()).stream()
                        .map(watch -> CollectionItem.Place.of(watch, reader))
                        .toList()
                : List.of();
    }

    private static Map<String, String> merged(Map<String, String> one, Map<String, String> other) {
        var all = new HashMap<>(one);
        all.putAll(other);
        return all;
    }

    private static CollectionId id(Context ctx) {
        return CollectionId.parse(ctx.pathParam("id"));
    }

    private static UserId user(Context ctx) {
        return UserId.parse(ctx.pathParam("user"));
    }
}
