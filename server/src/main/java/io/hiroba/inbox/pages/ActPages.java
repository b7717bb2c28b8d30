package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ItemState;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.fanout.Stir;
import io.hiroba.inbox.items.Inbox;
import io.hiroba.inbox.items.Item;
import io.hiroba.inbox.items.Snooze;
import io.hiroba.platform.http.Routes;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is done with items: one, several or all of a list at once, and taken back. */
public final class ActPages implements Routes {

    /** As many as an address can carry. */
    private static final int ADDRESS = 50;
    /** As many as somebody can have chosen in a list. */
    private static final int MOST = 2000;

    private final Shell shell;
    private final Inbox inbox;
    private final ReaderMoments moments;

    public ActPages(Shell shell, Inbox inbox, ReaderMoments moments) {
        this.shell = shell;
        this.inbox = inbox;
        this.moments = moments;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/inbox/act", this::act);
        routes.post("/inbox/undo", this::undo);
        routes.post("/inbox/done-all", this::doneAll);
        routes.get(
                "/inbox/snooze",
                ctx -> chooseSnooze(ctx, ids(ctx.queryParams("id")), ctx.queryParam("back"), Form.EMPTY));
    }

    private void act(Context ctx) {
        var caller = Caller.of(ctx);
        var query = InboxQuery.ofForm(ctx);
        // A button of one item says which: that counts, not what happens to be ticked.
        var pressed = text(ctx, "do").split(" ", 2);
        var act = Act.parse(pressed[0]);
        var ids = ids(pressed.length == 2 ? List.of(pressed[1]) : ctx.formParams("id"));
        if (act == Act.SNOOZE && text(ctx, "choice").isEmpty()) {
            shell.seeOther(ctx, snoozeAddress(ids, query));
            return;
        }
        var before = found(caller, ids, act);
        Batches.Result result;
        try {
            result = apply(ctx, caller, act, before.stream().map(Item::id).toList());
        } catch (Problem refusal) {
            if (act != Act.SNOOZE || refusal.kind() != Problem.Kind.INVALID) {
                throw refusal;
            }
            shell.refused(ctx, refusal);
            chooseSnooze(ctx, ids, text(ctx, "back"), Form.EMPTY.withProblem(timeProblem(refusal)));
            return;
        }
        var changed = result.items();
        var says = result.refused() == 0 ? act.says(changed.size()) : act.says(changed.size()) + askedAgain(result);
        answer(ctx, caller, query, says, changed, undoes(act, before, changed));
    }

    private static String askedAgain(Batches.Result result) {
        return result.refused() == 1
                ? " 1 was asked again since, and stays done."
                : " %d were asked again since, and stay done.".formatted(result.refused());
    }

    /** Those of the items that are there and that something can be done with. */
    private List<Item> found(Caller caller, List<ItemId> ids, Act act) {
        return inbox.items(caller, ids).stream()
                .filter(item -> act != Act.SNOOZE || item.state() != ItemState.DONE)
                .toList();
    }

    private Batches.Result apply(Context ctx, Caller caller, Act act, List<ItemId> ids) {
        return switch (act) {
            case DONE -> each(ids, some -> inbox.done(caller, some, Resolution.MARK_DONE));
            case RESTORE -> Batches.restored(ids, some -> inbox.restore(caller, some));
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

    private static Batches.Result each(List<ItemId> ids, Batches.Change change) {
        return new Batches.Result(Batches.each(ids, change), 0);
    }

    private static String timeProblem(Problem refusal) {
        return refusal.fields().stream()
                .findFirst()
                .map(fault -> "The time " + fault.message() + ".")
                .orElse(refusal.detail());
    }

    private Snooze snooze(Context ctx) {
        var choice = text(ctx, "choice");
        if (choice.equals("until")) {
            return moments.of(ctx)
                    .read(text(ctx, "until"))
                    .map(Snooze::until)
                    .orElseThrow(() -> InboxProblem.invalid("until", "must be a date and a time"));
        }
        for (var stir : Stir.values()) {
            if (stir.text().equals(choice)) {
                return Snooze.untilEvent(stir);
            }
        }
        return Snooze.preset(choice);
    }

    /** How to bring back what has changed, and nothing else. */
    private static List<Undo> undoes(Act act, List<Item> before, List<Item> changed) {
        var now = changed.stream().collect(Collectors.toMap(Item::id, Function.identity()));
        return before.stream()
                .flatMap(item -> Stream.ofNullable(now.get(item.id()))
                        .filter(after -> differ(item, after))
                        .map(after -> undo(act, item)))
                .toList();
    }

    private static boolean differ(Item one, Item other) {
        return one.state() != other.state()
                || one.saved() != other.saved()
                || one.read() != other.read()
                || !Objects.equals(one.snoozedUntil(), other.snoozedUntil())
                || one.snoozedEvent() != other.snoozedEvent();
    }

    private static Undo undo(Act act, Item before) {
        return switch (act) {
            case DONE, SNOOZE, RESTORE, UNSNOOZE -> Undo.toStateOf(before);
            case SAVE, UNSAVE -> Undo.of(before.saved() ? Undo.To.SAVED : Undo.To.UNSAVED, before.id());
            case READ, UNREAD -> Undo.of(before.read() ? Undo.To.READ : Undo.To.UNREAD, before.id());
        };
    }

    private void undo(Context ctx) {
        var caller = Caller.of(ctx);
        var query = InboxQuery.ofForm(ctx);
        var asked = atMost(ctx.formParams("was")).stream().map(Undo::parse).toList();
        var there = inbox.items(caller, asked.stream().map(Undo::id).toList()).stream()
                .map(Item::id)
                .collect(Collectors.toSet());
        var result = new Undoing(inbox, caller, moments.of(ctx).now())
                .of(asked.stream().filter(undo -> there.contains(undo.id())).toList());
        answer(ctx, caller, query, takenBack(result), result.items(), List.of());
    }

    private static String takenBack(Batches.Result result) {
        int number = result.items().size();
        return switch (result.refused()) {
            case 0 -> number == 1 ? "Taken back." : number + " taken back.";
            case 1 -> number + " taken back; 1 was asked again.";
            default -> "%d taken back; %d were asked again.".formatted(number, result.refused());
        };
    }

    private void doneAll(Context ctx) {
        var query = InboxQuery.ofForm(ctx);
        // What came after the page was made has not been seen.
        var newest = text(ctx, "newest").isEmpty() ? null : ItemId.parse(text(ctx, "newest"));
        long number = inbox.doneAll(Caller.of(ctx), query.filter(), newest, Resolution.MARK_ALL_DONE);
        var says = number == 1
                ? "1 item marked done. You find it in Done."
                : "%,d items marked done. You find them in Done.".formatted(number);
        shell.seeOther(ctx, query.address(), says);
    }

    private void chooseSnooze(Context ctx, List<ItemId> ids, @Nullable String back, Form form) {
        Caller.of(ctx);
        var sheet = SnoozeSheet.of(
                ids.stream().map(ItemId::hex).toList(), moments.of(ctx), LocalPath.orElse(back, InboxNav.INBOX));
        shell.page(ctx, "Snooze", "inbox/snooze", Map.of("snooze", sheet, "form", form));
    }

    private void answer(
            Context ctx, Caller caller, InboxQuery query, String says, List<Item> changed, List<Undo> undoes) {
        if (!HtmxRequest.isAskedFor(ctx)) {
            shell.seeOther(ctx, LocalPath.orElse(ctx.formParam("back"), query.address()), says);
            return;
        }
        var rows = new ItemRows(caller.user(), moments.of(ctx), query);
        var outcome = new Outcome(
                says,
                inbox.counts(caller),
                changed.stream()
                        .filter(item -> !rows.holds(item))
                        .map(item -> item.id().hex())
                        .toList(),
                rows.of(changed.stream().filter(rows::holds).toList()),
                undoes.stream().map(Undo::text).toList());
        shell.page(ctx, "Inbox", "inbox/outcome", Map.of("outcome", outcome));
    }

    private static String snoozeAddress(List<ItemId> ids, InboxQuery query) {
        var parameters = new ArrayList<String>();
        ids.stream().limit(ADDRESS).forEach(id -> parameters.add("id=" + id));
        parameters.add("back=" + URLEncoder.encode(query.address(), StandardCharsets.UTF_8));
        return "/inbox/snooze?" + String.join("&", parameters);
    }

    private static List<ItemId> ids(List<String> texts) {
        return atMost(texts).stream().distinct().map(ItemId::parse).toList();
    }

    private static List<String> atMost(List<String> texts) {
        if (texts.size() > MOST) {
            throw InboxProblem.invalid("id", "must be at most %,d".formatted(MOST));
        }
        return texts;
    }

    private static String text(Context ctx, String name) {
        var value = ctx.formParam(name);
        return value == null ? "" : value;
    }
}
