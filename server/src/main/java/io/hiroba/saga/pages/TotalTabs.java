package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaFilter;
import io.hiroba.saga.SagaQueries.Total;
import io.hiroba.saga.SagaQueries.Totals;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.pages.SagaListPages.Tab;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Links that narrow the list of sagas to one status or one workflow, each with the number of sagas behind it.
 *
 * @param statuses any status first, then those that sagas of the filter have
 * @param workflows those with the most sagas; the others are in the form
 */
record TotalTabs(List<Tab> statuses, List<Tab> workflows) {

    static final TotalTabs NONE = new TotalTabs(List.of(), List.of());

    /** In the order of the life of a saga. */
    static final List<String> STATUSES = Stream.concat(
                    Stream.of(SagaFilter.WAITING),
                    Stream.of(
                                    SagaStatus.STARTED,
                                    SagaStatus.RUNNING,
                                    SagaStatus.COMPENSATING,
                                    SagaStatus.COMPLETED,
                                    SagaStatus.FAILED,
                                    SagaStatus.CANCELLED)
                            .map(SagaStatus::name))
            .toList();

    private static final int MAX_WORKFLOWS = 8;

    TotalTabs {
        statuses = List.copyOf(statuses);
        workflows = List.copyOf(workflows);
    }

    /** @param query makes the parameters of an address of a filter */
    static TotalTabs of(Totals totals, SagaFilter filter, Function<SagaFilter, String> query, Reader reader) {
        var any = filter.whereWaiting(false).withStatus(null);
        var current = filter.waiting()
                ? SagaFilter.WAITING
                : filter.status() == null ? "" : filter.status().name();
        var statuses = STATUSES.stream()
                .filter(status -> count(totals.statuses(), status) > 0 || status.equals(current))
                .map(status -> new Tab(
                        label(status),
                        count(totals.statuses().get(status), reader),
                        address(
                                query,
                                status.equals(SagaFilter.WAITING)
                                        ? any.whereWaiting(true)
                                        : any.withStatus(SagaStatus.valueOf(status))),
                        status.equals(current)));
        var whole = new Tab(Text.of("saga.list.all-statuses"), null, address(query, any), current.isEmpty());
        var workflows = Stream.concat(
                        Stream.ofNullable(filter.workflowName()),
                        totals.workflows().keySet().stream()
                                .filter(name -> !name.equals(filter.workflowName()))
                                .sorted(Comparator.comparing(
                                        name -> count(totals.workflows(), name), Comparator.reverseOrder())))
                .limit(MAX_WORKFLOWS)
                .map(name -> new Tab(
                        Text.verbatim(name),
                        count(totals.workflows().get(name), reader),
                        // A click on the workflow that is chosen chooses none.
                        address(query, filter.withWorkflow(name.equals(filter.workflowName()) ? null : name)),
                        name.equals(filter.workflowName())));
        return new TotalTabs(Stream.concat(Stream.of(whole), statuses).toList(), workflows.toList());
    }

    static Text label(String status) {
        return Text.of("saga.status." + status.toLowerCase(Locale.ROOT));
    }

    private static int count(Map<String, Total> totals, String name) {
        var total = totals.get(name);
        return total == null ? 0 : total.count();
    }

    private static String count(@Nullable Total total, Reader reader) {
        var number = reader.number(total == null ? 0 : total.count());
        return total != null && total.more() ? reader.text("saga.list.at-least", "count", number) : number;
    }

    private static String address(Function<SagaFilter, String> query, SagaFilter filter) {
        return "/sagas?" + query.apply(filter);
    }
}
