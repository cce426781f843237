# a forest on a table
library(randomForest)
library(data.table)

read_tables <- function(folder) {
  train <- fread(file.path(folder, "train.csv"))
  test <- fread(file.path(folder, "test.csv"))
  list(train = train, test = test)
}

add_features <- function(table) {
  numeric <- names(table)[sapply(table, is.numeric)]
  table$total <- rowSums(table[, ..numeric])
  table$spread <- apply(table[, ..numeric], 1, function(row) max(row) - min(row))
  for (column in numeric) {
    table[[paste0(column, "_log")]] <- log1p(pmax(table[[column]], 0))
  }
  table
}

fit_folds <- function(train, test, folds = 5) {
  set.seed(1)
  part <- sample(rep(seq_len(folds), length.out = nrow(train)))
  predictions <- rep(0, nrow(test))
  for (fold in seq_len(folds)) {
    inside <- train[part != fold, ]
    outside <- train[part == fold, ]
    model <- randomForest(target ~ ., data = inside, ntree = 300)
    held_out <- predict(model, outside)
    error <- sqrt(mean((held_out - outside$target)^2))
    cat(sprintf("fold %d: %.5f\n", fold, error))
    predictions <- predictions + predict(model, test) / folds
  }
  predictions
}

tables <- read_tables("/home/data")
train <- add_features(tables$train)
test <- add_features(tables$test)
result <- data.table(id = tables$test$id, target = fit_folds(train, test))
fwrite(result, "/home/submission/submission.csv")
