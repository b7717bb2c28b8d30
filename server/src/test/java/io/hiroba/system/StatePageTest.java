package io.hiroba.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.SystemCheck.Group;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Templates;
import io.hiroba.platform.web.Theme;
import io.hiroba.platform.web.WebPage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;

/** The page of the state of the system, with lines as a node with the embedded database has them. */
class StatePageTest {

    private static Document page(SystemCheck check) {
        var reader = new Reader(Language.ENGLISH, ZoneOffset.UTC, Instant.now());
        var page = new WebPage(
                reader, "System", "/admin/system", null, List.of(), Map.of(), Theme.AUTO, null, name -> "/" + name);
        var checks = List.of(check);
        return Jsoup.parse(new String(
                new Templates()
                        .render(
                                "system/state",
                                Map.of(
                                        "page",
                                        page,
                                        "checks",
                                        checks,
                                        "concerns",
                                        List.of(),
                                        "unscheduled",
                                        SystemPages.unscheduled(checks))),
                StandardCharsets.UTF_8));
    }

    @Test
    void thatNoBackupsAreScheduledIsSaidBesideAllIsWell() {
        var none = SystemCheck.of(Group.WORK, "backup", Text.of("backup.check"), Text.of("backup.check-none"));
        var shown = page(none);
        assertThat(shown.select(".alert.good").text())
                .isEqualTo("All is well. Backup: Not scheduled: see backup.folder");
        assertThat(shown.select("[data-check=backup] dd code").text()).isEqualTo("backup.folder");

        var fine = SystemCheck.of(Group.WORK, "backup", Text.of("backup.check"), Text.of("backup.check-missing"));
        assertThat(page(fine).select(".alert.good").text()).isEqualTo("All is well.");
    }
}
