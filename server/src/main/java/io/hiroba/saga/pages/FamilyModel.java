package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.saga.Saga;
import io.hiroba.saga.SagaDetails;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.pages.SagaListPages.SagaRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The model of a saga's relatives on its page.
 *
 * @param continuedFrom the id of the saga that this one continues, if any
 * @param continuedAs the id of the saga that continues this one, if any
 * @param newest the children that were started last
 * @param hasMore whether there are others
 */
public record FamilyModel(
        @Nullable Parent parent,
        @Nullable String continuedFrom,
        @Nullable String continuedAs,
        List<Group> groups,
        List<SagaRow> newest,
        boolean hasMore) {

    public FamilyModel {
        groups = List.copyOf(groups);
        newest = List.copyOf(newest);
    }

    /**
     * The saga that started this one.
     *
     * @param workflow null where it is archived
     * @param number the position of this one among those of its step, from 1 on
     */
    public record Parent(String id, @Nullable String workflow, int number, int count) {}

    /** The children of one step in numbers. */
    public record Group(String step, int count, int completed, int running, int undone, int stuck) {}

    static FamilyModel of(SagaDetails details, List<Saga> newest, Reader reader) {
        var family = details.family();
        var parent = family.parent();
        int started = family.children().stream()
                .mapToInt(SagaDetails.ChildGroup::started)
                .sum();
        return new FamilyModel(
                parent == null
                        ? null
                        : new Parent(parent.id().toString(), parent.workflowName(), parent.index() + 1, parent.count()),
                text(family.continuedFrom()),
                text(family.continuedAs()),
                family.children().stream().map(group -> group(details, group)).toList(),
                newest.stream().map(saga -> SagaRow.of(saga, reader)).toList(),
                started > newest.size());
    }

    private static Group group(SagaDetails details, SagaDetails.ChildGroup group) {
        var step = details.steps().stream()
                .filter(each -> each.index() == group.step())
                .map(SagaDetails.StepDetails::name)
                .findFirst()
                .orElse("");
        return new Group(step, group.count(), group.completed(), group.open(), group.undone(), group.stuck());
    }

    private static @Nullable String text(@Nullable SagaId id) {
        return id == null ? null : id.toString();
    }
}
