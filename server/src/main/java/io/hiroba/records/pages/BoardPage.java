package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Documents;
import io.hiroba.records.Records;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.RowId;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.Queries;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A view as a board: a lane for each value of an attribute, and a card for each record. */
public final class BoardPage {

    private static final int MAX_LANES = 30;
    private static final int MAX_CARDS = 30;

    private final Shell shell;
    private final PageContext context;
    private final RecordTitles titles;
    private final Queries queries;
    private final Records records;

    BoardPage(Shell shell, PageContext context, RecordTitles titles, Queries queries, Records records) {
        this.shell = shell;
        this.context = context;
        this.titles = titles;
        this.queries = queries;
        this.records = records;
    }

    /**
     * The board.
     *
     * @param heads the names of the figures of a lane
     * @param moved what was just moved, in words
     * @param problem why something was not moved
     * @param isUnset whether the attribute of the lanes is gone
     */
    public record Board(
            String path,
            String label,
            List<String> heads,
            List<Lane> lanes,
            boolean mayMove,
            boolean isUnset,
            @Nullable String moved,
            @Nullable String problem) {

        public Board {
            heads = List.copyOf(heads);
            lanes = List.copyOf(lanes);
        }
    }

    /**
     * A lane.
     *
     * @param value {@code =} and the value of its records; empty for those without one
     * @param more the path of all of its records, if there are more than it shows
     */
    public record Lane(
            String value,
            String label,
            @Nullable String color,
            long count,
            List<String> figures,
            List<ViewCards.Card> cards,
            @Nullable String more) {

        public Lane {
            figures = List.copyOf(figures);
            cards = List.copyOf(cards);
        }
    }

    /** @param tabs null for those who see it by a link */
    void show(Context ctx, ViewScope scope, @Nullable ViewTabs tabs) {
        var parameters = new HashMap<String, Object>();
        if (tabs != null) {
            parameters.put("tabs", tabs);
        }
        parameters.put("name", scope.view().view().name());
        parameters.put("board", board(scope, null, null));
        shell.page(ctx, Text.verbatim(scope.view().view().name()), "records/board", parameters);
    }

    /** Moves a card, which changes the record if it still has the version that the board showed. */
    void move(Context ctx, ViewScope scope) {
        scope.access().requireEditor();
        var by = by(scope).orElseThrow(RecordsProblem::noRecord);
        var row = RowId.parse(Objects.requireNonNullElse(ctx.formParam("row"), ""));
        var to = Objects.requireNonNullElse(ctx.formParam("to"), "");
        var typed = Objects.requireNonNullElse(ctx.formParam("version"), "");
        int version = typed.matches("[0-9]{1,9}") ? Integer.parseInt(typed) : 0;
        String moved = null;
        String problem = null;
        try {
            var change = Documents.exact().createObjectNode();
            change.set(by.name(), value(by, to));
            var record =
                    records.patch(scope.access(), scope.recordAccess().schema().name(), row, change, version);
            moved = shell.text(
                    ctx,
                    Text.of(
                            "records.board-moved",
                            "record",
                            RecordTitles.of(scope.recordAccess(), record),
                            "lane",
                            label(scope, by, to)));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            problem = shell.text(
                    ctx,
                    refusal.kind() == Problem.Kind.PRECONDITION_FAILED
                            ? Text.of("records.board-conflict")
                            : refusal.detail());
            ctx.status(refusal.kind() == Problem.Kind.PRECONDITION_FAILED ? 412 : 422);
        }
        if (HtmxRequest.isFragment(ctx)) {
            shell.fragment(ctx, "records/board-lanes", Map.of("board", board(scope, moved, problem)));
        } else {
            shell.seeOther(ctx, scope.path(), Text.verbatim(problem == null ? Objects.toString(moved) : problem));
        }
    }

    private static Optional<SchemaAttribute> by(ViewScope scope) {
        return scope.view().attribute(scope.view().definition().set().by()).filter(SchemaAttribute::isLane);
    }

    private Board board(ViewScope scope, @Nullable String moved, @Nullable String problem) {
        var by = by(scope).orElse(null);
        if (by == null) {
            return new Board(scope.path(), "", List.of(), List.of(), false, true, moved, problem);
        }
        var groups = GroupSums.of(scope, queries, titles, by, null);
        var found = new LinkedHashMap<String, GroupSums.Row>();
        groups.rows().forEach(row -> found.put(key(row.key()), row));
        var lanes = new ArrayList<Lane>();
        for (var value : values(scope, by, found)) {
            lanes.add(lane(scope, by, value, found.get(value)));
        }
        boolean mayMove = scope.shared() == null
                && ProjectHeader.of(scope.access()).mayEdit()
                && scope.recordAccess().canWrite(by);
        return new Board(scope.path(), by.label(), groups.heads(), lanes, mayMove, false, moved, problem);
    }

    private static String key(@Nullable JsonNode value) {
        return value == null ? "" : "=" + value.asString();
    }

    /** The lanes: records without a value first, unless there can be none. */
    private List<String> values(ViewScope scope, SchemaAttribute by, Map<String, GroupSums.Row> found) {
        var there = found.keySet().stream().filter(each -> !each.isEmpty());
        var known = by.isSelect()
                ? by.choices().stream().map(each -> "=" + each.value())
                : by.type() == ValueType.BOOL
                        ? Stream.of("=true", "=false")
                        : by.isPerson() && !by.isGenerated() && scope.shared() == null
                                ? Stream.concat(there, members(scope)).distinct()
                                : there;
        var none = by.required() && !found.containsKey("") ? Stream.<String>empty() : Stream.of("");
        return Stream.concat(none, known).limit(MAX_LANES).toList();
    }

    /** Whoever has nothing yet can be given something. */
    private Stream<String> members(ViewScope scope) {
        return context.members(scope.access(), "", MAX_LANES).stream().map(each -> "=" + each.value());
    }

    private Lane lane(ViewScope scope, SchemaAttribute by, String value, GroupSums.@Nullable Row group) {
        var cards = group == null ? List.<ViewCards.Card>of() : cards(scope, by, value);
        long count = group == null ? 0 : group.count();
        return new Lane(
                value,
                label(scope, by, value),
                value.isEmpty() || !by.isSelect()
                        ? null
                        : by.choice(value.substring(1)).color(),
                count,
                group == null ? List.of() : group.figures(),
                cards,
                count > cards.size() && scope.shared() == null
                        ? GroupSums.href(scope, by, value.isEmpty() ? null : value(by, value))
                        : null);
    }

    private String label(ViewScope scope, SchemaAttribute by, String value) {
        if (value.isEmpty()) {
            return scope.reader().text("records.board-none");
        }
        return by.references() == null
                ? new CellFormatter(scope.reader(), context::person)
                        .of(by, value(by, value))
                        .text()
                : titles.cell(scope.access(), by, value(by, value)).text();
    }

    private static JsonNode value(SchemaAttribute by, String lane) {
        if (lane.isEmpty()) {
            return JsonNodeFactory.instance.nullNode();
        }
        var text = lane.substring(1);
        return by.type() == ValueType.BOOL
                ? JsonNodeFactory.instance.booleanNode(text.equals("true"))
                : JsonNodeFactory.instance.stringNode(text);
    }

    private List<ViewCards.Card> cards(ViewScope scope, SchemaAttribute by, String value) {
        var where = value.isEmpty() ? ViewScope.test(by, "missing", null) : ViewScope.test(by, "eq", value(by, value));
        return new ViewCards(scope, context, titles, queries)
                .page(where, List.of(by), null, MAX_CARDS, null)
                .cards();
    }
}
