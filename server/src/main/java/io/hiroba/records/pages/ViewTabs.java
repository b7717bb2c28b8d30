package io.hiroba.records.pages;

import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.views.ResolvedView;
import io.hiroba.records.views.ViewRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The views of a schema as tabs, and the one that is open.
 *
 * @param path the path of the schema's grid
 * @param version that of the view that is open
 * @param query the query string of what is shown, with which it is saved as a view
 * @param isChanged whether what is shown differs from the view that is open
 * @param chips the filter and the order of the view that is open, in words
 */
public record ViewTabs(
        ProjectHeader project,
        String schema,
        String path,
        List<Tab> tabs,
        @Nullable Tab current,
        boolean mayChange,
        int gone,
        int version,
        String query,
        boolean isChanged,
        List<String> chips) {

    public ViewTabs {
        tabs = List.copyOf(tabs);
        chips = List.copyOf(chips);
    }

    /** A view. */
    public record Tab(String id, String name, String kind, String href, String path, boolean isPrivate) {

        static Tab of(String schemaPath, ViewRow view) {
            var path = schemaPath + "/views/" + view.id().hex();
            return new Tab(
                    view.id().hex(),
                    view.name(),
                    view.kind().label(),
                    view.kind() == ViewRow.Kind.GRID
                            ? schemaPath + "?view=" + view.id().hex()
                            : path,
                    path,
                    !view.shared());
        }
    }

    /**
     * The tabs of a schema.
     *
     * @param open the view that is open; null for all records
     * @param chips its filter and its order, in words
     */
    static ViewTabs of(
            ProjectAccess access,
            RecordAccess recordAccess,
            List<ViewRow> views,
            @Nullable ResolvedView open,
            String query,
            boolean isChanged,
            List<String> chips) {
        var path =
                RecordPaths.schema(access.project().id(), recordAccess.schema().name());
        var project = ProjectHeader.of(access);
        return new ViewTabs(
                project,
                recordAccess.schema().label(),
                path,
                views.stream().map(each -> Tab.of(path, each)).toList(),
                open == null ? null : Tab.of(path, open.view()),
                open != null && (!open.view().shared() || project.mayEdit()),
                open == null ? 0 : open.gone().size(),
                open == null ? 0 : open.view().version(),
                query,
                isChanged,
                chips);
    }

    /** The page of a view that is no grid, unless some of its records are asked for, which a grid shows. */
    static @Nullable String elsewhere(String schemaPath, @Nullable ResolvedView view, boolean isChanged) {
        return view == null || isChanged || view.view().kind() == ViewRow.Kind.GRID
                ? null
                : Tab.of(schemaPath, view.view()).href();
    }

    public boolean isCurrent(Tab tab) {
        return current != null && current.id().equals(tab.id());
    }
}
