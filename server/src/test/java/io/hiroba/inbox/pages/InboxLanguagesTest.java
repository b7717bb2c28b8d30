package io.hiroba.inbox.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import io.hiroba.inbox.Action;
import org.junit.jupiter.api.Test;

/** The inbox of somebody who does not read English. */
class InboxLanguagesTest extends InboxDesk {

    @Test
    void sentencesActionsAndTimesAreJapanese() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        give(ann, Action.REVIEW_REQUESTED, mergeRequest("garden/plots", "One", "https://gitlab.example/1"), bob);
        give(ann, Action.ADDED_APPROVER, mergeRequest("garden/plots", "Two", "https://gitlab.example/2"), ann);
        var page = in("ja", at(ann, "/inbox"));
        assertThat(page.locator("html")).hasAttribute("lang", "ja");
        assertThat(item(page, "One").locator(".summary")).hasText("Bobさんがあなたにレビューを依頼しました");
        assertThat(item(page, "One").locator(".summary strong")).hasText("Bob");
        assertThat(item(page, "Two").locator(".summary")).hasText("あなたが自分を承認者に追加しました");
        assertThat(page.locator(".sidebar [data-badge='/inbox']")).hasAttribute("aria-label", "受信トレイ 2件未対応");

        item(page, "Two").locator("[data-key=e]").click();
        assertThat(page.locator("#toasts .toast span")).hasText("完了にしました。");
        assertThat(page.locator("#toasts .toast button")).hasText("元に戻す");
        assertThat(page.locator(".sidebar [data-badge='/inbox']")).hasAttribute("aria-label", "受信トレイ 1件未対応");

        item(page, "One").locator("a[data-snooze]").click();
        press(page.locator("#snooze"), "明日の朝まで");
        assertThat(items(page)).hasCount(0);
        go(page, "/inbox?state=snoozed");
        assertThat(items(page).locator(".note")).hasText("明日 08:00までスヌーズ");
    }

    @Test
    void settingsAndRefusalsAreChinese() {
        var page = in("zh", at(square.person("Cem"), "/inbox/settings"));
        assertThat(page.locator("h1")).hasText("收件箱设置");
        browser.expecting(422);
        page.locator("#username").fill("not a name");
        press(page, "关联");
        assertThat(page.locator("#username-error")).hasText("必须是用户名，例如 ann。");
    }

    /** The page in another language, which its reader chooses. */
    private static Page in(String language, Page page) {
        page.locator(".sidebar .language summary").click();
        page.locator(".sidebar .language [value=" + language + "]").click();
        return page;
    }
}
