package io.hiroba.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Shows the statements of lists as they are sent: they are assembled from parts. */
class ItemListSqlTest {

    private static final Path GOLDEN = Path.of("src/test/resources/golden/inbox");
    private static final int PARTITION = 7;
    private static final int LIMIT = 21;

    @Test
    void everyViewAndOrderIsShown() throws IOException {
        for (var view : InboxView.values()) {
            for (var sort : ItemSort.values()) {
                var scan = new ItemIndexScan(view, sort, null, PARTITION, List.of());
                compare(name(view, sort, null), ItemListStore.sql(scan, LIMIT));
            }
        }
    }

    @Test
    void filtersAreAppliedToTheEntriesOfTheIndex() throws IOException {
        var conditions = List.of("action = ANY (:actions)", "namespace_id IN (SELECT unnest(:namespaces))");
        var scan = new ItemIndexScan(InboxView.TODO, ItemSort.RECOMMENDED, null, PARTITION, conditions);
        compare(name(InboxView.TODO, ItemSort.RECOMMENDED, "filtered"), ItemListStore.sql(scan, LIMIT));
    }

    @Test
    void theItemsOfOneResourceAreFoundByTheirLinks() throws IOException {
        var scan = new ItemIndexScan(InboxView.DONE, ItemSort.NEWEST, ResourceType.ISSUE, PARTITION, List.of());
        compare(name(InboxView.DONE, ItemSort.NEWEST, "of-an-issue"), ItemListStore.sql(scan, LIMIT));
    }

    private static String name(InboxView view, ItemSort sort, @Nullable String detail) {
        var name = "%s-%s".formatted(view, sort).toLowerCase(Locale.ROOT);
        return detail == null ? name : name + "-" + detail;
    }

    /** With {@code -Dhiroba.write-docs=true} the file is written instead. */
    private static void compare(String name, String sql) throws IOException {
        var file = GOLDEN.resolve(name + ".sql");
        var text = sql.strip().lines().map(String::stripTrailing).reduce("", (all, line) -> all + line + "\n");
        if (Boolean.getBoolean("hiroba.write-docs")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(file, text);
        }
        assertThat(file).hasContent(text);
    }
}
