package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.inbox.Inbox;
import io.hiroba.inbox.InboxItem;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ItemState;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.Snooze;
import io.hiroba.inbox.SnoozePreset;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.LocalPath;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The actions on items: one, several or all of a list at once, and their undo. */
final class ItemActionPages implements Routes {

    private static final int MAX_IDS_IN_ADDRESS = 50;
    private static final int MAX_SELECTED = 2000;

    private final Shell shell;
    private final Inbox inbox;
    private final Readers readers;

    ItemActionPages(Shell shell, Inbox inbox, Readers readers) {
        this.shell = shell;
        this.inbox = inbox;
        this.readers = readers;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/inbox/act", this::perform);
        routes.post("/inbox/undo", this::undo);
        routes.post("/inbox/done-all", this::doneAll);
        routes.get(
                "/inbox/snooze",
                ctx -> showSnoozeForm(ctx, ids(ctx.queryParams("id")), ctx.queryParam("back"), Form.EMPTY));
    }

    private void perform(Context ctx) {
        var caller = Caller.of(ctx);
        var query = InboxQuery.ofForm(ctx);
        // The button of one item carries its id, which takes precedence over the selection.
        var pressed = text(ctx, "do").split(" ", 2);
        var action = ItemAction.parse(pressed[0]);
        var ids = ids(pressed.length == 2 ? List.of(pressed[1]) : ctx.formParams("id"));
        if (action == ItemAction.SNOOZE && text(ctx, "choice").isEmpty()) {
            shell.seeOther(ctx, snoozeAddress(ids, query));
            return;
        }
        var before = applicable(caller, ids, action);
        ItemBatches.Result result;
        try {
            result = apply(
                    ctx, caller, action, before.stream().map(InboxItem::id).toList());
        } catch (Problem refusal) {
            if (action != ItemAction.SNOOZE || refusal.kind() != Problem.Kind.INVALID) {
                throw refusal;
            }
            shell.refused(ctx, refusal);
            showSnoozeForm(ctx, ids, text(ctx, "back"), Form.EMPTY.withProblem(timeProblem(refusal)));
            return;
        }
        var changed = result.items();
        var message = result.refused() == 0
                ? action.message(changed.size())
                : Text.of("inbox.did-partly", "done", action.message(changed.size()), "refused", result.refused());
        respond(ctx, caller, query, message, changed, new Undo(undoSteps(action, before, changed), ""));
    }

    /** Finds those of the items that exist and that the action applies to. */
    private List<InboxItem> applicable(Caller caller, List<ItemId> ids, ItemAction action) {
        return inbox.items(caller, ids).stream()
                .filter(item -> action != ItemAction.SNOOZE || item.state() != ItemState.DONE)
                .toList();
    }

    private ItemBatches.Result apply(Context ctx, Caller caller, ItemAction action, List<ItemId> ids) {
        return switch (action) {
            case DONE -> each(ids, some -> inbox.done(caller, some, Resolution.MARK_DONE));
            case RESTORE -> ItemBatches.restore(ids, some -> inbox.restore(caller, some));
            case SAVE -> each(ids, some -> inbox.save(caller, some));
            case UNSAVE -> each(ids, some -> inbox.unsave(caller, some));
            case UNSNOOZE -> each(ids, some -> inbox.unsnooze(caller, some));
            case READ -> each(ids, some -> inbox.read(caller, some));
            case UNREAD -> each(ids, some -> inbox.unread(caller, some));
            case SNOOZE -> {
                var snooze = snooze(ctx);
                yield each(ids, some -> inbox.snooze(caller, some, snooze));
            }
        };
    }

    private static ItemBatches.Result each(List<ItemId> ids, ItemBatches.Change change) {
        return new ItemBatches.Result(ItemBatches.each(ids, change), 0);
    }

    private static Text timeProblem(Problem refusal) {
        return refusal.fields().stream()
                .filter(fault -> fault.field().equals("until"))
                .findFirst()
                .map(fault -> Text.of("inbox.until-problem", "message", fault.message()))
                .orElse(refusal.detail());
    }

    private Snooze snooze(Context ctx) {
        var choice = text(ctx, "choice");
        var reader = readers.reader(ctx);
        if (choice.equals("until")) {
            return reader.parse(text(ctx, "until"))
                    .map(Snooze::until)
                    .orElseThrow(() -> InboxProblem.invalid("until", Text.of("inbox.field.date-time")));
        }
        for (var event : SnoozeEvent.values()) {
            if (event.text().equals(choice)) {
                return Snooze.untilEvent(event);
            }
        }
        // By the zone of the page, which is the browser's where the account has none.
        return Snooze.until(SnoozePreset.parse(choice).end(inbox.now(), reader.zone()));
    }

    /** The undo steps of those items that have changed. */
    private static List<UndoStep> undoSteps(ItemAction action, List<InboxItem> before, List<InboxItem> changed) {
        var now = changed.stream().collect(Collectors.toMap(InboxItem::id, Function.identity()));
        return before.stream()
                .flatMap(item -> Stream.ofNullable(now.get(item.id()))
                        .filter(after -> differ(item, after))
                        .map(after -> undo(action, item)))
                .toList();
    }

    private static boolean differ(InboxItem one, InboxItem other) {
        return one.state() != other.state()
                || one.saved() != other.saved()
                || one.read() != other.read()
                || !Objects.equals(one.snoozedUntil(), other.snoozedUntil())
                || one.snoozedEvent() != other.snoozedEvent();
    }

    private static UndoStep undo(ItemAction action, InboxItem before) {
        return switch (action) {
            case DONE, SNOOZE, RESTORE, UNSNOOZE -> UndoStep.toStateOf(before);
            case SAVE, UNSAVE -> UndoStep.of(before.saved() ? UndoStep.To.SAVED : UndoStep.To.UNSAVED, before.id());
            case READ, UNREAD -> UndoStep.of(before.read() ? UndoStep.To.READ : UndoStep.To.UNREAD, before.id());
        };
    }

    private void undo(Context ctx) {
        var caller = Caller.of(ctx);
        var query = InboxQuery.ofForm(ctx);
        var run = text(ctx, "run");
        if (!run.isEmpty()) {
            var undone = inbox.undo(caller, run(run));
            respond(ctx, caller, query, undoneMessage(undone.restored(), undone.refused()), List.of(), Undo.NONE);
            return;
        }
        var steps = requireMaxSelected(ctx.formParams("was")).stream()
                .map(UndoStep::parse)
                .toList();
        var existing = inbox.items(caller, steps.stream().map(UndoStep::id).toList()).stream()
                .map(InboxItem::id)
                .collect(Collectors.toSet());
        var result = new UndoRun(inbox, caller)
                .of(steps.stream().filter(step -> existing.contains(step.id())).toList());
        var message = undoneMessage(result.items().size(), result.refused());
        respond(ctx, caller, query, message, result.items(), Undo.NONE);
    }

    private static Text undoneMessage(int count, int refused) {
        return refused == 0
                ? Text.of("inbox.undone", "count", count)
                : Text.of("inbox.undone-partly", "count", count, "refused", refused);
    }

    private static UUID run(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw InboxProblem.invalid("run", Text.of("inbox.field.former-state"));
        }
    }

    private void doneAll(Context ctx) {
        var query = InboxQuery.ofForm(ctx);
        // Items that arrived after the page was rendered have not been seen.
        var newest = text(ctx, "newest").isEmpty() ? null : ItemId.parse(text(ctx, "newest"));
        var caller = Caller.of(ctx);
        var run = UUID.randomUUID();
        long count = inbox.markAllDone(caller, query.filter(), newest, run);
        var undo = new Undo(List.of(), count == 0 ? "" : run.toString());
        respond(ctx, caller, query, Text.of("inbox.all-done", "count", count), List.of(), undo);
    }

    private void showSnoozeForm(Context ctx, List<ItemId> ids, @Nullable String back, Form form) {
        var snooze = SnoozeForm.of(
                ids.stream().map(ItemId::hex).toList(),
                inbox.snoozeEvents(Caller.of(ctx), ids).values(),
                readers.reader(ctx),
                LocalPath.orElse(back, InboxNav.INBOX));
        shell.page(ctx, Text.of("inbox.snooze"), "inbox/snooze", Map.of("snooze", snooze, "form", form));
    }

    /**
     * The undo of an action.
     *
     * @param steps empty if there is nothing to undo, or a run
     * @param run of marking all as done; empty for other actions
     */
    private record Undo(List<UndoStep> steps, String run) {
        static final Undo NONE = new Undo(List.of(), "");
    }

    private void respond(
            Context ctx, Caller caller, InboxQuery query, Text message, List<InboxItem> changed, Undo undo) {
        if (!HtmxRequest.isFragment(ctx)) {
            shell.seeOther(ctx, LocalPath.orElse(ctx.formParam("back"), query.address()), message);
            return;
        }
        var reader = readers.reader(ctx);
        var ids = changed.stream().map(InboxItem::id).toList();
        var rows = new ItemRows(caller.user(), reader, query, inbox.snoozeEvents(caller, ids));
        var result = new ItemActionResult(
                reader.text(message),
                inbox.counts(caller),
                changed.stream()
                        .filter(item -> !rows.isListed(item))
                        .map(item -> item.id().hex())
                        .toList(),
                rows.of(changed.stream().filter(rows::isListed).toList()),
                undo.steps().stream().map(UndoStep::text).toList(),
                undo.run());
        shell.page(ctx, Text.of("inbox.title"), "inbox/result", Map.of("result", result));
    }

    private static String snoozeAddress(List<ItemId> ids, InboxQuery query) {
        var parameters = new ArrayList<String>();
        ids.stream().limit(MAX_IDS_IN_ADDRESS).forEach(id -> parameters.add("id=" + id));
        parameters.add("back=" + URLEncoder.encode(query.address(), StandardCharsets.UTF_8));
        return "/inbox/snooze?" + String.join("&", parameters);
    }

    private static List<ItemId> ids(List<String> texts) {
        return requireMaxSelected(texts).stream().distinct().map(ItemId::parse).toList();
    }

    private static List<String> requireMaxSelected(List<String> texts) {
        if (texts.size() > MAX_SELECTED) {
            throw InboxProblem.invalid("id", Text.of("inbox.field.at-most", "max", MAX_SELECTED));
        }
        return texts;
    }

    private static String text(Context ctx, String name) {
        var value = ctx.formParam(name);
        return value == null ? "" : value;
    }
}
