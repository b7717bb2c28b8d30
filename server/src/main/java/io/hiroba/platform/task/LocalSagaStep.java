package io.hiroba.platform.task;

import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * A step of a saga that a feature carries out in this program. It may be called again after it took effect, and must then
 * answer as before.
 *
 * @param service the service that workflows name
 * @param method the method that workflows name
 * @param body takes the step's input and returns its output
 */
public record LocalSagaStep(String service, String method, UnaryOperator<JsonNode> body) {}
