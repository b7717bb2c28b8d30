package io.hiroba.saga.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Large workflows as they are drawn on wide and on narrow screens. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class GraphPagesTest {

    @RegisterExtension
    final Browser browser = new Browser();

    private Square square;

    @BeforeAll
    void start() {
        square = new Square();
        register(
                "long",
                IntStream.rangeClosed(1, 30).mapToObj(GraphPagesTest::step).toList());
        var parallel =
                IntStream.rangeClosed(2, 9).mapToObj(GraphPagesTest::step).toList();
        register("fan", List.of(step(1), Map.of("parallel", parallel), step(10)));
    }

    @AfterAll
    void stop() {
        square.close();
    }

    private static Map<String, Object> step(int number) {
        return Map.of("name", "step-" + number, "service", "shop", "method", "reserve", "compensate", "release");
    }

    private void register(String name, List<? extends Map<String, ?>> steps) {
        var registered = square.admin.api().post("/api/v1/workflows", Json.text(Map.of("name", name, "steps", steps)));
        assertThat(registered.status()).as(registered.body()).isLessThan(300);
    }

    @Test
    void aLargeWorkflowIsReadWithoutScrollingSideways() {
        var page = square.visit(browser.open(), square.admin, "/workflows/long");
        for (var workflow : List.of("long", "fan")) {
            page.navigate(square.server.url() + "/workflows/" + workflow);
            for (var width : List.of(1280, 768, 390)) {
                page.setViewportSize(width, 900);
                assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                        .as("%s at %s", workflow, width)
                        .isEqualTo(true);
                assertThat(number(page, "document.querySelector('.graph').scrollWidth"))
                        .isLessThanOrEqualTo(number(page, "document.querySelector('.graph').clientWidth"));
                assertThat(page.locator(".graph svg:visible").count()).isEqualTo(1);
                assertThat(page.locator(".graph svg:visible .box").count())
                        .isEqualTo(workflow.equals("long") ? 30 : 10);
                assertThat(number(
                                page,
                                "[...document.querySelectorAll('.graph svg')]"
                                        + ".map(svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)"
                                        + ".reduce((a, b) => Math.max(a, b)) * 14"))
                        .as("the size of the names of steps")
                        .isGreaterThan(9.5);
            }
        }
    }

    private static double number(Page page, String expression) {
        return ((Number) page.evaluate(expression)).doubleValue();
    }
}
