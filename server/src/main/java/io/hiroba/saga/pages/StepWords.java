package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.saga.workflow.Step;

/** Says in the reader's language what steps do that start sagas. */
final class StepWords {

    private StepWords() {}

    /** In a few words, where there is little room. */
    static String brief(Step.Children children, Reader reader) {
        return children.forEach() == null
                ? reader.text("saga.workflow.box-child", "workflow", children.workflow())
                : reader.text("saga.workflow.box-each", "workflow", children.workflow());
    }

    static String does(Step.Children children, Reader reader) {
        var list = children.forEach();
        return list == null
                ? reader.text("saga.workflow.step-child", "workflow", children.workflow())
                : reader.text(
                        "saga.workflow.step-each",
                        "workflow",
                        children.workflow(),
                        "list",
                        list.template().asString(""),
                        "max",
                        children.maxParallel());
    }

    static String does(Step.Continuation next, Reader reader) {
        var workflow = next.workflow();
        return workflow == null
                ? reader.text("saga.workflow.step-continues")
                : reader.text("saga.workflow.step-continues-as", "workflow", workflow);
    }
}
