package io.hiroba.platform.web;

import gg.jte.TemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import io.hiroba.platform.i18n.TextDirection;
import org.jspecify.annotations.Nullable;

/**
 * The HTML of a page into which texts are put so that none of them turns the direction of what is around it. Attributes and the text
 * of inputs stay as they are, since they are values that are sent back.
 */
final class IsolatingOutput extends OwaspHtmlTemplateOutput {

    private boolean isShown = true;

    IsolatingOutput(TemplateOutput output) {
        super(output);
    }

    @Override
    public void setContext(@Nullable String tagName, @Nullable String attributeName) {
        super.setContext(tagName, attributeName);
        isShown = attributeName == null && !"textarea".equals(tagName);
    }

    @Override
    public void writeUserContent(@Nullable String value) {
        super.writeUserContent(isShown && value != null ? TextDirection.isolated(value) : value);
    }
}
