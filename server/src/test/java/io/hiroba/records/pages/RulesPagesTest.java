package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;

/** Rules by role in the browsers of those who make them and of those whom they bind. */
class RulesPagesTest extends RecordsDesk {

    @Test
    void rulesAreBuiltByRolePreviewedAndTriedOut() {
        browser.expecting(422);
        var shop = shop(
                "name=Lamp;price=3;status=active",
                "name=Chair;price=40;status=draft",
                "name=Bench;price=90;status=active");
        var viewer = member(shop, "Vera", "viewer");
        var editor = member(shop, "Ed", "editor");
        var page = at(owner, shop + "/-/settings");
        page.locator("#rules tbody a").first().click();
        page.getByLabel("Use the same rules for editors").uncheck();
        page.locator(".condition select[name=a]").selectOption("price");
        // The line is drawn anew, with the comparisons of numbers.
        assertThat(page.locator(".condition select[name=o] option[value=lt]").first())
                .isAttached();
        page.locator(".condition [name=v]").fill("many");
        press(page, "Save rules");
        assertThat(page.locator(".condition .error")).containsText("number");
        page.locator(".condition [name=v]").first().fill("50");
        page.locator(".condition select[name=o]").first().selectOption("lt");
        assertThat(page.locator(".condition [name=v]").first()).hasValue("50");
        page.locator("[name='see.price']").selectOption("hide");
        press(page, "Preview");
        assertThat(page.locator("#counts")).containsText("viewer: 2 records");
        assertThat(page.locator("[name='see.price']")).hasValue("hide");
        press(page, "Save rules");
        assertThat(page.locator("#rows tr[data-row]")).hasCount(3);

        go(page, shop + "/product/rules");
        assertThat(page.locator(".condition [name=v]").first()).hasValue("50");
        page.locator("#seeAs").selectOption("Vera");
        press(page, "See as");
        assertThat(page.locator(".see-as")).containsText("as Vera does (viewer)");
        assertThat(page.locator("#rows tr[data-row]")).hasCount(2);
        assertThat(page.locator("thead")).not().containsText("price");
        assertThat(page.locator("main form[method=post]")).hasCount(0);
        page.locator("thead a").first().click();
        assertThat(page.locator("thead [aria-sort]")).not().hasCount(0);
        assertThat(page.locator(".see-as")).isVisible();
        page.locator(".open a").last().click();
        assertThat(page.locator(".see-as")).isVisible();
        assertThat(page.locator(".record-facts")).not().containsText("price");
        page.goBack();
        page.locator(".see-as a").click();
        assertThat(page.locator(".see-as")).hasCount(0);
        assertThat(page.locator("#rows tr[data-row]")).hasCount(3);

        // Editors have none of these, and what they may do is set for them.
        page = at(editor, shop + "/product");
        assertThat(page.locator("#rows tr[data-row]")).hasCount(3);
        assertSent(setRules(owner, shop + "/product/rules", "role=editor", "delete=no", "create=no"));
        page.reload();
        assertThat(page.getByText("New record")).hasCount(0);
        assertThat(page.locator("form[action$=delete]")).hasCount(0);
        assertThat(page.locator("td[data-attr=name]")).hasCount(3);
        assertThat(viewer.api().get(shop + "/product").status()).isEqualTo(200);
        assertThat(Jsoup.parse(viewer.api().get(shop + "/product").body()).select("#rows tr[data-row]"))
                .hasSize(2);
    }

    @Test
    void anOlderFormOpensNothingThatAnotherOwnerHasHidden() {
        var shop = shop("name=Lamp;price=3;status=active");
        var second = member(shop, "Otto", "owner");
        var path = shop + "/product/rules";
        var old = rulesVersion(owner, path);
        assertSent(setRules(second, path, "role=viewer", "same=true", "see.price=hide"));
        var stale = send(owner, path, "version=" + old, "role=viewer", "same=true", "see.price=write", "see.name=read");
        assertThat(stale.status()).isEqualTo(412);
        var newest = Jsoup.parse(stale.body());
        assertThat(newest.select(".alert.bad").text()).contains("changed in the meantime");
        assertThat(seen(newest, "price")).isEqualTo("hide");
        assertThat(seen(newest, "name")).isEmpty();
        assertThat(newest.select("input[name=version]").val()).isNotEqualTo(old);
        assertThat(send(owner, path, "role=viewer", "see.price=write").status()).isEqualTo(412);
        assertThat(send(owner, path, "version=" + old, "role=viewer", "preview=true")
                        .status())
                .isEqualTo(412);

        // What a form does not say stays as it is.
        assertSent(setRules(owner, path, "role=viewer", "same=true", "see.name=read"));
        assertSent(setRules(second, path, "role=editor", "delete=no"));
        var editors = Jsoup.parse(owner.api().get(path + "?role=editor").body());
        assertThat(seen(editors, "price")).isEqualTo("hide");
        assertThat(seen(editors, "name")).isEqualTo("read");
        assertSent(setRules(owner, path, "role=viewer", "same=true"));
        editors = Jsoup.parse(owner.api().get(path + "?role=editor").body());
        assertThat(editors.select("[name=delete] option[selected]").val()).isEqualTo("no");
        assertThat(seen(editors, "price")).isEqualTo("hide");
    }

    private static String seen(Document page, String attribute) {
        return page.select("[name='see.%s'] option[selected]".formatted(attribute))
                .val();
    }

    @Test
    void nobodyButOwnersSeesAsOthersOnPages() {
        var shop = shop("name=Lamp;price=3;status=active");
        var editor = member(shop, "Ed", "editor");
        var path = shop + "/product";
        for (var page : new String[] {path, path + "/chart"}) {
            assertThat(editor.api().get(page + "?seeAs=role:viewer").status()).isEqualTo(403);
            assertThat(editor.api().get(page + "?seeAs=" + owner.id()).status()).isEqualTo(403);
            assertThat(owner.api().get(page + "?seeAs=role:viewer").status()).isEqualTo(200);
            assertThat(owner.api().get(page + "?seeAs=nobody").status()).isEqualTo(400);
        }
        assertThat(editor.api().get(path + "/rules").status()).isEqualTo(403);
        assertThat(send(editor, path + "/rules", "role=editor").status()).isEqualTo(403);
        // What is sent with it is no write of another's.
        var row = Jsoup.parse(owner.api().get(path).body())
                .select("#rows tr[data-row]")
                .attr("data-row");
        assertThat(send(owner, row + "?seeAs=" + editor.id(), "version=1", "v.name=Lamp 2")
                        .header("Location"))
                .isNotNull();
        assertThat(Jsoup.parse(owner.api().get(row).body())
                        .select(".muted.small")
                        .text())
                .contains("Olive");
    }
}
